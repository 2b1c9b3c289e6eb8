//! Optional content: layers that the file switches off are not shown.

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::objects;

/// The optional content groups that are off when the file is opened.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    off: HashSet<ObjectId>,
}

impl Layers {
    pub(crate) fn load(doc: &Document) -> Self {
        let read = || {
            let properties = objects::get_dict(doc, doc.catalog().ok()?, b"OCProperties")?;
            let config = objects::get_dict(doc, properties, b"D")?;
            let ids = |dict, key| references(objects::get_array(doc, dict, key).unwrap_or_default());
            let mut off: HashSet<ObjectId> = HashSet::new();
            if objects::get_name(doc, config, b"BaseState") == Some(b"OFF") {
                off.extend(ids(properties, b"OCGs"));
            }
            for id in ids(config, b"ON") {
                off.remove(&id);
            }
            off.extend(ids(config, b"OFF"));
            Some(Self { off })
        };
        read().unwrap_or_default()
    }

    /// Whether what belongs to the group, or membership dictionary, is hidden.
    pub(crate) fn hides(&self, doc: &Document, owner: &Object) -> bool {
        if self.off.is_empty() {
            return false;
        }
        if owner.as_reference().is_ok_and(|id| self.off.contains(&id)) {
            return true;
        }
        let members = objects::resolve(doc, owner).and_then(objects::as_dict);
        members.is_some_and(|members| self.hides_members(doc, members))
    }

    /// `/OCMD`: by the policy, with "any on" as the default.
    fn hides_members(&self, doc: &Document, members: &Dictionary) -> bool {
        let off = |id: &ObjectId| self.off.contains(id);
        let groups: Vec<ObjectId> = match members.get(b"OCGs") {
            Ok(Object::Reference(id)) if !matches!(doc.get_object(*id), Ok(Object::Array(_))) => vec![*id],
            Ok(_) => references(objects::get_array(doc, members, b"OCGs").unwrap_or_default()).collect(),
            Err(_) => return false,
        };
        if groups.is_empty() {
            return false;
        }
        match objects::get_name(doc, members, b"P") {
            Some(b"AllOn") => groups.iter().any(off),
            Some(b"AnyOff") => !groups.iter().any(off),
            Some(b"AllOff") => !groups.iter().all(off),
            _ => groups.iter().all(off),
        }
    }
}

fn references(objects: &[Object]) -> impl Iterator<Item = ObjectId> {
    objects.iter().filter_map(|object| object.as_reference().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopdf::dictionary;

    #[test]
    fn groups_and_memberships() {
        let mut doc = Document::new();
        let [shown, hidden] = [1, 2].map(|_| doc.add_object(dictionary! { "Type" => "OCG" }));
        let properties = dictionary! {
            "OCGs" => vec![shown.into(), hidden.into()],
            "D" => dictionary! { "OFF" => vec![hidden.into()] },
        };
        let catalog = doc.add_object(dictionary! { "OCProperties" => properties });
        doc.trailer.set("Root", catalog);
        let layers = Layers::load(&doc);
        assert!(!layers.hides(&doc, &shown.into()));
        assert!(layers.hides(&doc, &hidden.into()));
        let both = |policy: &str| {
            let groups: Vec<Object> = vec![shown.into(), hidden.into()];
            Object::from(dictionary! { "OCGs" => groups, "P" => Object::Name(policy.into()) })
        };
        assert!(!layers.hides(&doc, &both("AnyOn")));
        assert!(layers.hides(&doc, &both("AllOn")));
        assert!(!layers.hides(&doc, &both("AnyOff")));
        assert!(layers.hides(&doc, &both("AllOff")));
    }
}
