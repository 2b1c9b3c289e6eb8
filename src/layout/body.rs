//! What the running text of a document looks like: headings, notes and heads are told by how they differ from it.

use super::blocks::Block;
use super::headings::is_caps;
use super::lines::{Line, dominant};
use super::marks::{self, MarkKind};

/// More characters than this in several lines, or in an item, are running text.
const RUNNING: usize = 50;
/// Fewer of them may be titles.
const FEWEST_RUNNING: usize = 5;
/// Body text is no larger than this, in points, where there is nothing to tell by.
const LARGEST_BODY: f32 = 12.0;

/// What the body text of the document looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    /// Font size in points.
    pub size: f32,
    /// Most of it is bold.
    pub bold: bool,
    /// Most of it is in capitals.
    pub caps: bool,
}

impl Body {
    /// The style that most of the running text has; short blocks count only where there is nothing else.
    pub(crate) fn of<'a>(blocks: impl Iterator<Item = &'a Block> + Clone) -> Self {
        let chars = |blocks: &[&Block]| blocks.iter().map(|b| b.chars()).sum::<usize>();
        let all: Vec<&Block> = blocks.clone().collect();
        let mut long: Vec<&Block> = blocks.clone().filter(|b| b.lines.len() > 3 || b.chars() > 120).collect();
        // Where points and short paragraphs make up the text, they show it.
        if 3 * chars(&long) < chars(&all) {
            let short: Vec<&Block> = blocks.clone().filter(|b| is_running(b)).collect();
            long = if short.len() >= FEWEST_RUNNING { short } else { long };
        }
        let running = !long.is_empty();
        let used = if running { long } else { blocks.collect() };
        let lines = || used.iter().flat_map(|b| &b.lines);
        let share = |test: &dyn Fn(&Line) -> bool| {
            let (yes, all) = lines().fold((0, 0), |(y, a), l| (y + if test(l) { l.chars() } else { 0 }, a + l.chars()));
            2 * yes > all
        };
        let most = dominant(lines().map(|l| (l.size, l.chars())));
        let chars = |size: f32| lines().filter(|l| (l.size - size).abs() < 0.26).map(Line::chars).sum::<usize>();
        // Where notes outweigh the text that they belong to, the text is the larger of the two.
        let floor = chars(most) * 2 / 5;
        let larger = dominant(lines().filter(|l| l.size > most + 0.26).map(|l| (l.size, l.chars())));
        let size = if chars(larger) > floor { larger } else { most };
        // A cover has no running text to measure by.
        let size = if running { size } else { size.min(LARGEST_BODY) };
        Self { size, bold: share(&|l| l.bold), caps: share(&|l| is_caps(&l.text())) }
    }
}

/// Whether a block may be text rather than a name: of some length, in several lines or in an item of a list.
fn is_running(block: &Block) -> bool {
    let item = || marks::mark(&block.first_text()).is_some_and(|m| m.kind == MarkKind::Bullet);
    block.chars() > RUNNING && (block.lines.len() > 1 || item())
}

#[cfg(test)]
mod tests {
    use super::super::headings::tests::block;
    use super::*;

    #[test]
    fn points_show_the_size_of_the_text_where_nothing_else_does() {
        let point = "□ 구매계획을 세우고 예산을 확보하여 사업을 추진하며 그 결과를 매년 위원회에 보고하고 공개하며 이를 평가하는 것으로 함";
        let mut blocks = vec![block("짧은 제목", 20.0, true), block("참고 사항", 9.0, false)];
        blocks.extend(std::iter::repeat_n(block(point, 15.0, false), 5));
        assert_eq!(Body::of(blocks.iter()).size, 15.0);
        assert_eq!(Body::of(blocks.iter().take(4)).size, LARGEST_BODY);
    }
}
