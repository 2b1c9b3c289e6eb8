use super::*;

fn operators(data: &[u8]) -> Vec<(String, Vec<Operand>)> {
    let mut lexer = Lexer::new(data);
    let mut found = Vec::new();
    while let Some(name) = lexer.next_operator() {
        found.push((String::from_utf8_lossy(name).into_owned(), std::mem::take(&mut lexer.operands)));
    }
    found
}

fn names(data: &[u8]) -> Vec<String> {
    operators(data).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn numbers_in_every_spelling() {
    let ops = operators(b"1 -2.5 +.5 4. --7 12-3 1.2.3 m");
    let values: Vec<f32> = ops[0].1.iter().filter_map(Operand::number).collect();
    assert_eq!(values, [1.0, -2.5, 0.5, 4.0, -7.0, 12.0, 1.2]);
    let long = format!("0.{} {}.5 -{} 0.1.5-7 m", "3".repeat(300), "9".repeat(300), "1".repeat(30));
    let ops = operators(long.as_bytes());
    let values: Vec<f32> = ops[0].1.iter().filter_map(Operand::number).collect();
    assert_eq!(values, [1.0 / 3.0, 1e9, -1e9, 0.1]);
}

#[test]
fn operator_glued_to_its_operand() {
    let ops = operators(b"10 20Td(a)Tj");
    assert_eq!(ops[0], ("Td".into(), vec![Operand::Number(10.0), Operand::Number(20.0)]));
    assert_eq!(ops[1], ("Tj".into(), vec![Operand::String(b"a".to_vec())]));
}

#[test]
fn string_escapes_and_nesting() {
    let ops = operators(b"(a\\(b\\)(c)\\101\\7\\\nd\\\r\ne\r\nf) Tj <48 65 6> Tj");
    assert_eq!(ops[0].1, [Operand::String(b"a(b)(c)A\x07de\nf".to_vec())]);
    assert_eq!(ops[1].1, [Operand::String(b"He\x60".to_vec())]);
}

#[test]
fn names_arrays_dicts_comments() {
    let ops = operators(b"/A#20B % comment ) \n[(x) -250 [1]] TJ /P <</MCID 3 /L [1 2]>> BDC");
    assert_eq!(ops[0].1[0], Operand::Name(b"A B".to_vec()));
    assert_eq!(
        ops[0].1[1],
        Operand::Array(vec![
            Operand::String(b"x".to_vec()),
            Operand::Number(-250.0),
            Operand::Array(vec![Operand::Number(1.0)])
        ])
    );
    let Operand::Dict(entries) = &ops[1].1[1] else { panic!("no dictionary") };
    assert_eq!(entries[0], (b"MCID".to_vec(), Operand::Number(3.0)));
}

#[test]
fn array_without_its_bracket_ends_at_the_operator() {
    assert_eq!(names(b"[(a) 3 (b) TJ ET q"), ["TJ", "ET", "q"]);
}

#[test]
fn garbage_and_deep_nesting_end() {
    assert_eq!(names(b")>}{] q"), ["q"]);
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000), b" q".to_vec()].concat();
    assert_eq!(names(&deep), ["q"]);
}
