//! Tables as Korean word processors make them: forms, lists of values around boxes, tables that go on in the next column.

use super::*;

/// A ruled grid with lines at these places.
fn grid(xs: &[f32], ys: &[f32]) -> Sheet {
    let (left, right) = (xs[0], xs[xs.len() - 1]);
    let (top, bottom) = (ys[0], ys[ys.len() - 1]);
    let sheet = ys.iter().fold(Sheet::new(), |s, y| s.across(*y, left, right));
    xs.iter().fold(sheet, |s, x| s.down(*x, top, bottom))
}

fn only(found: Vec<FoundTable>) -> Table {
    assert_eq!(found.len(), 1);
    found.into_iter().next().unwrap().table
}

#[test]
fn a_note_in_a_box_of_its_own_is_part_of_its_cell() {
    // The box ends two points above the rule below it.
    let sheet = grid(&[50.0, 150.0, 400.0], &[100.0, 160.0, 190.0, 220.0])
        .across(130.0, 158.0, 392.0)
        .across(158.0, 158.0, 392.0)
        .down(158.0, 130.0, 158.0)
        .down(392.0, 130.0, 158.0)
        .text(60.0, 133.0, "사업 소개")
        .text(160.0, 118.0, "친환경 먹거리 개발")
        .text(170.0, 148.0, "※ 상세히 기재")
        .row(178.0, &[60.0, 160.0], &["목표", "수출 확대"])
        .row(208.0, &[60.0, 160.0], &["기간", "1년"]);
    assert_eq!(
        cells(&only(sheet.find())),
        ["0,0 사업 소개", "0,1 친환경 먹거리 개발 ※ 상세히 기재", "1,0 목표", "1,1 수출 확대", "2,0 기간", "2,1 1년"]
    );
}

#[test]
fn cells_centred_beside_each_other_are_one_row() {
    let sheet = grid(&[50.0, 100.0, 160.0, 300.0, 360.0], &[100.0, 120.0, 160.0, 200.0])
        .row(113.0, &[55.0, 105.0, 170.0, 310.0], &["구분", "번호", "이름", "일자"])
        .row(130.0, &[170.0], &["도시하천유역"])
        .row(136.0, &[55.0, 310.0], &["대통", "2024."])
        .row(142.0, &[105.0, 170.0], &["제1호", "침수피해방지법"])
        .row(148.0, &[55.0, 310.0], &["령령", "3. 5."])
        .row(154.0, &[170.0], &["시행령"])
        .row(176.0, &[55.0, 310.0], &["대통", "2024."])
        .row(182.0, &[105.0, 170.0], &["제2호", "하수도법"])
        .row(188.0, &[55.0, 310.0], &["령령", "4. 2."]);
    let table = only(sheet.find());
    assert_eq!((table.rows, table.cols), (3, 4));
    assert_eq!(
        cells(&table)[4..8],
        ["1,0 대통 령령", "1,1 제1호", "1,2 도시하천유역 침수피해방지법 시행령", "1,3 2024. 3. 5."]
    );
}

#[test]
fn choices_and_blanks_on_one_line_stay_one_cell() {
    let sheet = grid(&[50.0, 150.0, 450.0], &[100.0, 120.0, 140.0, 160.0, 180.0, 200.0])
        .down(250.0, 160.0, 200.0)
        .down(350.0, 160.0, 200.0)
        .row(113.0, &[60.0, 160.0, 270.0, 370.0], &["성별", "□ 남", "/", "□ 여"])
        .row(133.0, &[60.0, 160.0, 270.0], &["구분", "□ 개인", "□ 법인"])
        .row(153.0, &[60.0, 160.0, 370.0], &["기관명", "(전화:", ")"])
        .row(173.0, &[60.0, 160.0, 260.0, 360.0], &["합계", "현금", "현물", "소계"])
        .row(193.0, &[60.0, 160.0, 260.0, 360.0], &["금액", "10", "20", "30"]);
    assert_eq!(
        cells(&only(sheet.find()))[..6],
        ["0,0 성별", "0,1 1x3 □ 남 / □ 여", "1,0 구분", "1,1 1x3 □ 개인 □ 법인", "2,0 기관명", "2,1 1x3 (전화: )"]
    );
}

#[test]
fn spaced_letters_of_a_name_are_one_cell() {
    let sheet = grid(&[50.0, 200.0, 300.0, 400.0], &[100.0, 120.0, 140.0, 160.0, 180.0, 200.0])
        .down(110.0, 160.0, 200.0)
        .row(113.0, &[90.0, 150.0, 210.0, 310.0], &["구", "분", "전년", "금년"])
        .row(133.0, &[90.0, 150.0, 210.0, 310.0], &["총", "자산", "10", "11"])
        .row(153.0, &[90.0, 150.0, 210.0, 310.0], &["자기", "자본", "5", "6"])
        .row(173.0, &[60.0, 130.0, 210.0, 310.0], &["매출액", "내수", "3", "4"])
        .row(193.0, &[130.0, 210.0, 310.0], &["수출", "1", "2"]);
    let table = only(sheet.find());
    assert_eq!(
        cells(&table).iter().filter(|c| c.contains(",0")).collect::<Vec<_>>(),
        ["0,0 1x2 구 분", "1,0 1x2 총 자산", "2,0 1x2 자기 자본", "3,0 매출액"]
    );
}

#[test]
fn tables_in_a_cell_of_a_single_row_are_found() {
    let inner = |s: Sheet, top: f32| {
        let s = (0..3).fold(s, |s, i| s.across(top + 20.0 * i as f32, 170.0, 390.0)).down(250.0, top, top + 40.0);
        s.row(top + 13.0, &[180.0, 260.0], &["구성", "내용"]).row(top + 33.0, &[180.0, 260.0], &["메모리", "8GB"])
    };
    let frame = grid(&[50.0, 150.0, 400.0], &[100.0, 300.0]).text(60.0, 200.0, "세부 내용");
    let frame = frame.text(160.0, 118.0, "○ 스위치").text(160.0, 213.0, "○ 서버");
    let found = inner(inner(frame, 130.0), 230.0).find();
    assert_eq!(
        found.iter().map(|t| cells(&t.table)).collect::<Vec<_>>(),
        [["0,0 구성", "0,1 내용", "1,0 메모리", "1,1 8GB"], ["0,0 구성", "0,1 내용", "1,0 메모리", "1,1 8GB"]]
    );
}

#[test]
fn bullets_without_text_are_no_table() {
    let rows = |sheet: Sheet, first: &str, second: &str| {
        (0..3).fold(sheet, |s, i| s.row(113.0 + 20.0 * i as f32, &[60.0, 210.0], &[first, second]))
    };
    let lines = || grid(&[50.0, 200.0, 350.0], &[100.0, 120.0, 140.0, 160.0]);
    assert_eq!(rows(lines(), "‣", "□").find(), vec![]);
    assert_eq!(rows(lines(), "동의", "□").find().len(), 1);
}

#[test]
fn a_heading_between_two_grids_parts_them() {
    let two = |between: &str| {
        let lower = [140.0, 160.0, 180.0]
            .iter()
            .fold(grid(&[50.0, 150.0, 250.0], &[80.0, 100.0, 120.0]), |s, y| s.across(*y, 50.0, 250.0));
        [50.0, 150.0, 250.0]
            .iter()
            .fold(lower, |s, x| s.down(*x, 140.0, 180.0))
            .row(93.0, &[60.0, 160.0], &["이름", "날짜"])
            .row(113.0, &[60.0, 160.0], &["양경규", "1. 31."])
            .text(60.0, 133.0, between)
            .row(153.0, &[60.0, 160.0], &["사임", "보임"])
            .row(173.0, &[60.0, 160.0], &["김병기", "이학영"])
            .find()
            .len()
    };
    assert_eq!(two("○위원 개선"), 2);
    assert_eq!(two("(단위: 명)"), 2);
    assert_eq!(two("자료: 통계청"), 2);
    assert_eq!(two("서울"), 1);
}

#[test]
fn a_box_around_the_last_column_hides_no_columns() {
    let xs = [60.0, 160.0, 240.0, 320.0];
    let sheet = [100.0, 120.0, 180.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 360.0));
    let table = sheet
        .down(310.0, 100.0, 180.0)
        .down(360.0, 100.0, 180.0)
        .row(113.0, &xs, &["", "5월", "6월", "7월"])
        .row(135.0, &xs, &["실업률", "4.0", "4.1", "4.3"])
        .row(150.0, &xs, &["참가율", "62.5", "62.6", "62.7"])
        .row(165.0, &xs, &["임금", "0.4", "0.3", "0.2"])
        .find();
    let table = only(table);
    assert_eq!((table.rows, table.cols), (4, 4));
    assert_eq!(cells(&table)[3..7], ["1,0 실업률", "1,1 4.0", "1,2 4.1", "1,3 4.3"]);
}

#[test]
fn names_of_narrow_columns_may_almost_touch() {
    let xs = [60.0, 158.0, 191.0, 224.0, 252.0, 300.0];
    let sheet = Sheet::new()
        .row(113.0, &[148.0, 300.0], &["21.12월 22.12월 23.12월 24.2월", "5월"])
        .row(128.0, &xs, &["실업률", "3.9", "3.5", "3.7", "3.9", "4.0"])
        .row(143.0, &xs, &["참가율", "62.0", "62.3", "62.5", "62.5", "62.7"])
        .row(158.0, &xs, &["임금", "0.5", "0.3", "0.3", "0.1", "0.2"])
        .row(173.0, &xs, &["시간", "34.8", "34.4", "34.4", "34.3", "34.3"]);
    let table = only(sheet.find());
    assert_eq!(table.cols, 6);
    assert_eq!(cells(&table)[..5], ["0,1 21.12월", "0,2 22.12월", "0,3 23.12월", "0,4 24.2월", "0,5 5월"]);
}

#[test]
fn notes_and_captions_below_the_values_are_no_rows() {
    let xs = [60.0, 200.0, 280.0, 360.0];
    let sheet = Sheet::new()
        .row(113.0, &xs, &["", "5월", "6월", "7월"])
        .row(128.0, &xs, &["다우존스", "38,686", "39,119", "40,843"])
        .row(143.0, &xs, &["나스닥", "16,735", "17,733", "17,599"])
        .row(158.0, &xs, &["유로", "1,085", "1,071", "1,083"])
        .row(173.0, &[60.0, 280.0], &["주: 1) 월말", "2) 평균"]);
    let table = only(sheet.find());
    assert_eq!((table.rows, table.cols), (4, 4));
    assert_eq!(cells(&table).last().map(String::as_str), Some("3,3 1,083"));
}

/// A table of two columns at the top or the bottom of a page.
fn piece(x: f32, top: f32, rows: &[[&str; 2]], page: u32) -> PagedTable {
    let ys: Vec<f32> = (0..=rows.len()).map(|i| top + 20.0 * i as f32).collect();
    let sheet = rows
        .iter()
        .zip(&ys)
        .fold(grid(&[x, x + 100.0, x + 200.0], &ys), |s, (row, y)| s.row(y + 13.0, &[x + 10.0, x + 110.0], row));
    PagedTable { page, page_height: 800.0, found: sheet.find().into_iter().next().unwrap() }
}

#[test]
fn a_table_goes_on_in_the_next_column_of_text() {
    let left = piece(50.0, 700.0, &[["번호", "이름"], ["제1호", "하수도법"], ["제2호", "기상법"]], 1);
    let right = piece(320.0, 50.0, &[["번호", "이름"], ["제3호", "고용보험법"]], 1);
    let joined = join_across_pages(&[left, right], &|_, _| true);
    assert_eq!(joined.len(), 1);
    assert_eq!(cells(&joined[0].1)[4..], ["2,0 제2호", "2,1 기상법", "3,0 제3호", "3,1 고용보험법"]);
}

#[test]
fn a_form_that_asks_anew_is_another_table() {
    let form = |top: f32, page: u32, number: &str, name: &str| {
        let rows = [["분류", "기능 요구"], ["번호", number], ["명칭", name], ["산출물", "보고서"]];
        piece(50.0, top, &rows, page)
    };
    let joined = join_across_pages(&[form(700.0, 1, "1-1", "공통"), form(50.0, 2, "1-2", "기본")], &|_, _| true);
    assert_eq!(joined.len(), 2);
}

#[test]
fn a_chart_between_its_axes_is_no_table() {
    let sheet = (0..5).fold(Sheet::new(), |s, i| {
        let y = 100.0 + 20.0 * i as f32;
        let label = (200 - 50 * i).to_string();
        s.text(60.0, y, &label).text(300.0, y, &label)
    });
    let sheet = sheet.row(112.0, &[150.0, 220.0], &["한국", "미국"]).row(152.0, &[150.0, 220.0], &["일본", "중국"]);
    assert_eq!(sheet.find(), vec![]);
}

#[test]
fn shaded_names_of_columns_beside_an_empty_corner_make_no_form() {
    let sheet = [100.0, 120.0, 140.0, 160.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 290.0));
    let sheet = [50.0, 130.0, 210.0, 290.0].iter().fold(sheet, |s, x| s.down(*x, 100.0, 160.0));
    let sheet = sheet.shade(130.0, 100.0, 290.0, 120.0).shade(50.0, 120.0, 130.0, 160.0);
    let xs = [60.0, 140.0, 220.0];
    let sheet = sheet.row(113.0, &xs, &["", "to air", "to water"]);
    let found = sheet.row(133.0, &xs, &["Methane", "100", "-"]).row(153.0, &xs, &["Halons", "1", "-"]).find();
    assert_eq!(found.len(), 1);
    assert_eq!(roles(&found[0].table, CellRole::ColumnHeader), ["to air", "to water"]);
    assert_eq!(roles(&found[0].table, CellRole::RowHeader), ["Methane", "Halons"]);
}

#[test]
fn a_row_of_shaded_labels_each_with_its_value_is_a_form() {
    let xs = [60.0, 140.0, 220.0, 300.0];
    let sheet = |last: bool| {
        let sheet = [100.0, 120.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 370.0));
        let sheet = [50.0, 130.0, 210.0, 290.0, 370.0].iter().fold(sheet, |s, x| s.down(*x, 100.0, 120.0));
        let sheet = sheet.shade(50.0, 100.0, 130.0, 120.0).row(113.0, &xs, &["재직인원", "2명", "고용계획", "3명"]);
        // Text above is no row of it.
        let sheet = sheet.text(60.0, 90.0, "전문가 2명, 생산관리 1명 추가");
        if last { sheet.shade(210.0, 100.0, 290.0, 120.0) } else { sheet }
    };
    let found = sheet(true).find();
    assert_eq!(found.len(), 1);
    assert_eq!(cells(&found[0].table), ["0,0 재직인원", "0,1 2명", "0,2 고용계획", "0,3 3명"]);
    assert_eq!(roles(&found[0].table, CellRole::RowHeader), ["재직인원", "고용계획"]);
    assert_eq!(sheet(false).find(), vec![]);
}
