//! Glyph names of TeX's mathematical fonts that the Adobe Glyph List does not have.

/// Endings that name the size of a symbol.
const SIZES: [&str; 6] = ["big", "Big", "bigg", "Bigg", "text", "display"];

/// Names and characters, by name.
const NAMES: [(&str, char); 62] = [
    ("Ifractur", 'ℑ'),
    ("Rfractur", 'ℜ'),
    ("angbracketleft", '⟨'),
    ("angbracketright", '⟩'),
    ("arrowbothv", '↕'),
    ("arrowdblbothv", '⇕'),
    ("arrownortheast", '↗'),
    ("arrownorthwest", '↖'),
    ("arrowsoutheast", '↘'),
    ("arrowsouthwest", '↙'),
    ("bardbl", '∥'),
    ("ceilingleft", '⌈'),
    ("ceilingright", '⌉'),
    ("circlecopyrt", '○'),
    ("circledivide", '⊘'),
    ("circledot", '⊙'),
    ("circleminus", '⊖'),
    ("contintegral", '∮'),
    ("coproduct", '∐'),
    ("diamondmath", '⋄'),
    ("dotlessj", 'ȷ'),
    ("epsilon1", 'ϵ'),
    ("equivasymptotic", '≍'),
    ("flat", '♭'),
    ("floorleft", '⌊'),
    ("floorright", '⌋'),
    ("follows", '≻'),
    ("followsequal", '⪰'),
    ("greatermuch", '≫'),
    ("harpoonleftdown", '↽'),
    ("harpoonleftup", '↼'),
    ("harpoonrightdown", '⇁'),
    ("harpoonrightup", '⇀'),
    ("intersectionsq", '⊓'),
    ("latticetop", '⊤'),
    ("lessmuch", '≪'),
    ("lscript", 'ℓ'),
    ("mapsto", '↦'),
    ("natural", '♮'),
    ("negationslash", '\u{338}'),
    ("owner", '∋'),
    ("pi1", 'ϖ'),
    ("precedes", '≺'),
    ("precedesequal", '⪯'),
    ("rho1", 'ϱ'),
    ("sharp", '♯'),
    ("similarequal", '≃'),
    ("slurabove", '⌢'),
    ("slurbelow", '⌣'),
    ("subsetsqequal", '⊑'),
    ("supersetsqequal", '⊒'),
    ("tie", '⁀'),
    ("triangleinv", '▽'),
    ("triangleleft", '◁'),
    ("triangleright", '▷'),
    ("turnstileleft", '⊢'),
    ("turnstileright", '⊣'),
    ("unionmulti", '⊎'),
    ("unionsq", '⊔'),
    ("vextenddouble", '‖'),
    ("vextendsingle", '|'),
    ("wreathproduct", '≀'),
];

/// The character of a name.
pub(super) fn char_of(name: &str) -> Option<char> {
    NAMES.binary_search_by_key(&name, |(known, _)| known).ok().and_then(|at| NAMES.get(at)).map(|(_, c)| *c)
}

/// The name of a symbol without its size: `summation` of `summationdisplay`.
pub(super) fn without_size(name: &str) -> Option<&str> {
    SIZES
        .iter()
        .filter_map(|size| name.strip_suffix(size))
        .min_by_key(|name| name.len())
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert!(NAMES.is_sorted_by_key(|(name, _)| *name));
        assert_eq!(char_of("lscript"), Some('ℓ'));
        assert_eq!(char_of("A"), None);
        assert_eq!(without_size("parenleftbigg"), Some("parenleft"));
        assert_eq!(without_size("integraldisplay"), Some("integral"));
        assert_eq!(without_size("text"), None);
        assert_eq!(without_size("union"), None);
    }
}
