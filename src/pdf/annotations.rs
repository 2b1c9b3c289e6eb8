//! What annotations add to a page: the values of form fields and typed-in text.

use lopdf::{Dictionary, Document, Object, Stream};

use super::layers::Layers;
use super::limits::MAX_FORMS;
use super::objects;
use crate::document::BBox;

/// An annotation's normal appearance and where it goes, in user space.
pub(crate) struct Appearance<'a> {
    pub(crate) form: &'a Stream,
    pub(crate) rect: BBox,
}

/// Annotation flags that hide: invisible, hidden, no view.
const HIDING_FLAGS: u32 = 1 | 1 << 1 | 1 << 5;

/// The appearances of a page's visible form fields and text annotations. Notes, links and highlights are left out: they
/// comment on the page and are no part of it.
pub(crate) fn appearances<'a>(doc: &'a Document, page: &'a Dictionary, layers: &Layers) -> Vec<Appearance<'a>> {
    let annotations = objects::get_array(doc, page, b"Annots").unwrap_or_default();
    let dicts =
        annotations.iter().take(MAX_FORMS).filter_map(|object| objects::as_dict(objects::resolve(doc, object)?));
    dicts.filter_map(|annotation| appearance(doc, annotation, layers)).collect()
}

fn appearance<'a>(doc: &'a Document, annotation: &'a Dictionary, layers: &Layers) -> Option<Appearance<'a>> {
    let subtype = objects::get_name(doc, annotation, b"Subtype")?;
    let flags = objects::get_number(doc, annotation, b"F").unwrap_or(0.0) as u32;
    let hidden = annotation.get(b"OC").is_ok_and(|owner| layers.hides(doc, owner));
    if !matches!(subtype, b"Widget" | b"FreeText") || flags & HIDING_FLAGS != 0 || hidden {
        return None;
    }
    let form = match objects::get(doc, objects::get_dict(doc, annotation, b"AP")?, b"N")? {
        Object::Stream(form) => form,
        // One stream for each state: of a check box, say.
        Object::Dictionary(states) => objects::get_stream(doc, states, objects::get_name(doc, annotation, b"AS")?)?,
        _ => return None,
    };
    match objects::get_numbers(doc, annotation, b"Rect")?.as_slice() {
        &[x0, y0, x1, y1] => Some(Appearance { form, rect: BBox::new(x0, y0, x1, y1) }),
        _ => None,
    }
}
