//! The PDF layer of the main crate, and a PDF around page content.

#[path = "../../../src/document/mod.rs"]
pub mod document;
#[path = "../../../src/pdf/mod.rs"]
pub mod pdf;

/// Pages of a mutated file that are read.
pub const MAX_PAGES: usize = 8;

const OBJECTS: [&str; 7] = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 600 800]>>",
    "<</Type/Page/Parent 2 0 R/Contents 8 0 R/Resources<</Font<</F1 4 0 R/F2 5 0 R/F3 6 0 R>>/XObject<</X 9 0 R>>\
     /ExtGState<</G<</ca 0.5/LW 2/Font[4 0 R 9]>>>>/ColorSpace<</C[/Indexed/DeviceRGB 1<000000ffffff>]>>\
     /Properties<</P<</MCID 3/ActualText(a)>>>>>>>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    "<</Type/Font/Subtype/Type0/BaseFont/Batang/Encoding/KSCms-UHC-V/DescendantFonts[7 0 R]>>",
    "<</Type/Font/Subtype/Type3/FontMatrix[.001 0 0 .001 0 0]/FontBBox[0 0 700 700]/FirstChar 97/LastChar 98\
     /Widths[500 500]/CharProcs<<>>/Encoding<</Differences[97/alef/acute]>>>>",
    "<</Type/Font/Subtype/CIDFontType0/BaseFont/Batang/CIDSystemInfo<</Registry(Adobe)/Ordering(Korea1)/Supplement 2>>\
     /DW 900/W2[1 9 -800 500 800]>>",
];

/// A PDF of one page whose content, and that of a form on it, is given.
pub fn pdf_around(content: &[u8]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    let mut add = |file: &mut Vec<u8>, body: &[u8]| {
        offsets.push(file.len());
        file.extend_from_slice(format!("{} 0 obj\n", offsets.len()).as_bytes());
        file.extend_from_slice(body);
        file.extend_from_slice(b"\nendobj\n");
    };
    for object in OBJECTS {
        add(&mut file, object.as_bytes());
    }
    for entries in ["", "/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Matrix[.5 0 0 .5 9 9]"] {
        let head = format!("<<{entries}/Length {}>>stream\n", content.len());
        add(&mut file, &[head.as_bytes(), content, b"\nendstream"].concat());
    }
    let table = file.len();
    file.extend_from_slice(format!("xref\n0 {}\n0000000000 65535 f\r\n", offsets.len() + 1).as_bytes());
    for offset in &offsets {
        file.extend_from_slice(format!("{offset:010} 00000 n\r\n").as_bytes());
    }
    let size = offsets.len() + 1;
    file.extend_from_slice(format!("trailer<</Root 1 0 R/Size {size}>>\nstartxref\n{table}\n%%EOF").as_bytes());
    file
}
