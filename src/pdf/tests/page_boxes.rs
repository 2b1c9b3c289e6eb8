//! Page boxes, rotation and units, on a page of 600 × 800 units unless it says otherwise.

use super::*;

/// Width and height of the page, and the first word's left edge, baseline, size and angle.
type Seen = (f32, f32, f32, f32, f32, i16);

/// `word` at (100, 700) in 10 points, on a page that is changed by `change`.
fn seen(change: impl FnOnce(&mut Dictionary)) -> Seen {
    let bytes = pdf(b"BT /F1 10 Tf 100 700 Td (word) Tj ET", helvetica(), |doc, page| {
        change(doc.get_dictionary_mut(page).unwrap());
    });
    let page = first_page(&bytes);
    let word = &page.words[0];
    (page.width, page.height, word.bbox.x0, word.baseline, word.size, word.angle)
}

fn numbers(values: [i32; 4]) -> Object {
    Object::Array(values.map(Object::from).to_vec())
}

#[test]
fn boxes_in_any_order_of_corners() {
    let plain = (600.0, 800.0, 100.0, 100.0, 10.0, 0);
    assert_eq!(seen(|_| {}), plain);
    assert_eq!(seen(|page| page.set("MediaBox", numbers([600, 800, 0, 0]))), plain);
    assert_eq!(seen(|page| page.set("CropBox", numbers([600, 0, 0, 800]))), plain);
    // A box that is wrong, or has no area, gives way to the inherited one.
    assert_eq!(seen(|page| page.set("MediaBox", numbers([0, 0, 0, 0]))), plain);
    assert_eq!(seen(|page| page.set("MediaBox", vec![Object::from(0); 3])), plain);
}

#[test]
fn crop_boxes_cut_within_the_media_box() {
    let cut = (400.0, 700.0, 50.0, 50.0, 10.0, 0);
    assert_eq!(seen(|page| page.set("CropBox", numbers([50, 50, 450, 750]))), cut);
    assert_eq!(seen(|page| page.set("CropBox", numbers([450, 750, 50, 50]))), cut);
    // What lies beyond the media box is no page.
    assert_eq!(seen(|page| page.set("CropBox", numbers([50, 50, 900, 900]))), (550.0, 750.0, 50.0, 100.0, 10.0, 0));
    assert_eq!(seen(|page| page.set("CropBox", numbers([-50, -50, 900, 900]))), (600.0, 800.0, 100.0, 100.0, 10.0, 0));
    // Nor is a crop box beside it.
    assert_eq!(seen(|page| page.set("CropBox", numbers([700, 900, 800, 999]))), (600.0, 800.0, 100.0, 100.0, 10.0, 0));
    // A media box need not begin at the origin.
    assert_eq!(seen(|page| page.set("MediaBox", numbers([50, 100, 650, 900]))), (600.0, 800.0, 50.0, 200.0, 10.0, 0));
}

#[test]
fn rotations_of_any_number() {
    let turned = |degrees: i32| seen(|page| page.set("Rotate", degrees));
    let upright = (600.0, 800.0, 100.0, 100.0, 10.0, 0);
    // Turned clockwise by a quarter the text reads downwards; its baseline stands where it begins.
    let quarter = (800.0, 600.0, 698.0, 100.0, 10.0, 270);
    let checked = |degrees| {
        let (width, height, _, baseline, size, angle) = turned(degrees);
        (width, height, baseline, size, angle)
    };
    let expect = |(width, height, _, baseline, size, angle): Seen| (width, height, baseline, size, angle);
    for degrees in [90, 450, -270, 91, 80] {
        assert_eq!(checked(degrees), expect(quarter), "{degrees}");
    }
    for degrees in [0, 360, -360, 30, -44] {
        assert_eq!(turned(degrees), upright, "{degrees}");
    }
    for degrees in [270, -90, 630] {
        assert_eq!(checked(degrees), (800.0, 600.0, 500.0, 10.0, 90), "{degrees}");
    }
    for degrees in [180, -180] {
        assert_eq!(checked(degrees), (600.0, 800.0, 700.0, 10.0, 180), "{degrees}");
    }
}

#[test]
fn rotation_with_a_crop_box_and_an_inherited_one() {
    let both = seen(|page| {
        page.set("CropBox", numbers([50, 100, 450, 750]));
        page.set("Rotate", 90);
    });
    assert_eq!((both.0, both.1, both.3, both.5), (650.0, 400.0, 50.0, 270));
    let bytes = pdf(b"BT /F1 10 Tf 100 700 Td (word) Tj ET", helvetica(), |doc, page| {
        let parent = doc.get_dictionary(page).unwrap().get(b"Parent").unwrap().as_reference().unwrap();
        let parent = doc.get_dictionary_mut(parent).unwrap();
        parent.set("Rotate", 180);
        parent.set("CropBox", numbers([100, 100, 500, 800]));
        parent.set("Resources", dictionary! { "Font" => helvetica() });
        doc.get_dictionary_mut(page).unwrap().remove(b"Resources");
    });
    let page = first_page(&bytes);
    assert_eq!((page.width, page.height, page.words[0].angle), (400.0, 700.0, 180));
    assert!(page.words[0].bold, "the font comes from the parent's resources");
}

#[test]
fn rotated_text_on_a_rotated_page_is_upright() {
    let bytes = pdf(b"BT /F1 10 Tf 0 1 -1 0 100 300 Tm (word) Tj ET", helvetica(), |doc, page| {
        doc.get_dictionary_mut(page).unwrap().set("Rotate", 90);
    });
    let word = &first_page(&bytes).words[0];
    assert_eq!((word.angle, word.baseline, word.bbox.x0), (0, 100.0, 300.0));
}

#[test]
fn user_units_scale_the_page() {
    assert_eq!(seen(|page| page.set("UserUnit", 2)), (1200.0, 1600.0, 200.0, 200.0, 20.0, 0));
    let cropped = seen(|page| {
        page.set("CropBox", numbers([50, 50, 450, 750]));
        page.set("UserUnit", Object::Real(1.5));
    });
    assert_eq!(cropped, (600.0, 1050.0, 75.0, 75.0, 15.0, 0));
    for wrong in [0, -3, 100_000] {
        assert_eq!(seen(|page| page.set("UserUnit", wrong)), (600.0, 800.0, 100.0, 100.0, 10.0, 0));
    }
}
