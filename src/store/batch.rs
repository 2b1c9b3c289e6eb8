//! What must hold of a batch before any of it is written.

use std::collections::HashSet;

use super::DocumentBatch;

/// Checks that the batch can be stored as it is: every document once, every unit id once, commit records that name
/// exactly the units beside them, and vectors of the collection's dimension. A store that took anything else would keep
/// half of it.
pub(crate) fn check(batch: &[DocumentBatch], dim: usize) -> Result<(), String> {
    let mut doc_ids = HashSet::new();
    let mut unit_ids = HashSet::new();
    for DocumentBatch { document, records } in batch {
        let doc_id = &document.doc_id;
        if !doc_ids.insert(doc_id.as_str()) {
            return Err(format!("document {doc_id:?} is in the batch twice"));
        }
        if !document.unit_ids.iter().eq(records.iter().map(|r| &r.unit.unit_id)) {
            return Err(format!("the commit record of document {doc_id:?} does not name its units"));
        }
        for record in records {
            let unit = &record.unit;
            if unit.doc_id != *doc_id {
                return Err(format!("unit {:?} is of document {:?}, not of {doc_id:?}", unit.unit_id, unit.doc_id));
            }
            if !unit_ids.insert(unit.unit_id.as_str()) {
                return Err(format!("unit {:?} is in the batch twice", unit.unit_id));
            }
            if record.rows.len() != unit.rows.len() {
                let (vectors, rows) = (record.rows.len(), unit.rows.len());
                return Err(format!("unit {:?} has {vectors} row vectors for {rows} rows", unit.unit_id));
            }
            for vector in record.rows.iter().chain([&record.whole]) {
                if vector.len() != dim {
                    let found = vector.len();
                    return Err(format!("unit {:?} has a vector of {found} dimensions, not {dim}", unit.unit_id));
                }
                if !vector.iter().all(|x| x.is_finite()) {
                    return Err(format!("unit {:?} has a vector with values that are no numbers", unit.unit_id));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::super::schema::tests::document;
    use super::*;
    use crate::unit::tests::{bare_unit, full_unit};

    fn good() -> DocumentBatch {
        let units = [full_unit(), bare_unit()];
        let records =
            units.map(|unit| Record { rows: vec![vec![1.0, 0.0]; unit.rows.len()], whole: vec![0.6, 0.8], unit });
        DocumentBatch { document: document(), records: records.into() }
    }

    #[test]
    fn a_sound_batch_passes() {
        assert_eq!(check(&[good()], 2), Ok(()));
        assert_eq!(check(&[], 2), Ok(()));
    }

    #[test]
    fn each_fault_is_named() {
        let fault = |change: fn(&mut Vec<DocumentBatch>)| {
            let mut batch = vec![good()];
            change(&mut batch);
            check(&batch, 2).unwrap_err()
        };
        assert!(fault(|b| b.push(good())).contains("is in the batch twice"));
        assert!(fault(|b| b[0].document.unit_ids.truncate(1)).contains("does not name its units"));
        assert!(fault(|b| b[0].records[1].unit.doc_id = "x".into()).contains("not of"));
        assert!(fault(|b| b[0].records[0].whole.truncate(1)).contains("1 dimensions, not 2"));
        assert!(fault(|b| b[0].records[0].rows[1].push(0.0)).contains("3 dimensions, not 2"));
        assert!(fault(|b| b[0].records[0].rows.truncate(1)).contains("1 row vectors for 2 rows"));
        assert!(fault(|b| b[0].records[1].whole[0] = f32::NAN).contains("no numbers"));
        let doubled = fault(|b| {
            b[0].records[1].unit.unit_id = b[0].records[0].unit.unit_id.clone();
            b[0].document.unit_ids[1] = b[0].document.unit_ids[0].clone();
        });
        assert!(doubled.contains("is in the batch twice"), "{doubled}");
    }
}
