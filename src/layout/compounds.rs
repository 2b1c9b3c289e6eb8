//! English words that a hyphen joins with others, for the hyphens at line ends that no other line of a document explains.

/// Shorter words than this, in bytes, are syllables as well.
pub(crate) const SHORTEST_WORD: usize = 4;
/// Words between a part of a compound and the whole one.
pub(crate) const CONJUNCTIONS: [&str; 6] = ["and", "or", "to", "und", "oder", "bis"];
/// Short words inside chains of words.
pub(crate) const LINKS: [&str; 7] = ["the", "of", "to", "in", "by", "on", "and"];
/// First parts that English sets apart with a hyphen.
pub(crate) const FIRST_PARTS: [&str; 37] = [
    "self", "well", "ill", "long", "short", "high", "low", "mid", "full", "half", "real", "cross", "large", "small",
    "heavy", "light", "medium", "hard", "soft", "fast", "slow", "first", "second", "third", "one", "two", "three",
    "four", "five", "single", "double", "multi", "non", "part", "old", "new", "late",
];
/// Second parts that do.
pub(crate) const SECOND_PARTS: [&str; 63] = [
    "term",
    "based",
    "related",
    "specific",
    "driven",
    "oriented",
    "known",
    "scale",
    "quality",
    "duty",
    "level",
    "wide",
    "free",
    "like",
    "time",
    "year",
    "years",
    "old",
    "day",
    "depth",
    "sized",
    "size",
    "type",
    "style",
    "making",
    "building",
    "sharing",
    "saving",
    "looking",
    "standing",
    "being",
    "made",
    "defined",
    "established",
    "effective",
    "efficient",
    "friendly",
    "sensitive",
    "resistant",
    "intensive",
    "income",
    "cost",
    "risk",
    "speed",
    "power",
    "performance",
    "tech",
    "edge",
    "order",
    "class",
    "fold",
    "person",
    "party",
    "state",
    "sector",
    "step",
    "stage",
    "phase",
    "point",
    "dimensional",
    "century",
    "called",
    "minded",
];
/// First parts that grow together with what follows.
pub(crate) const CLOSED_FIRST_PARTS: [&str; 34] = [
    "with", "under", "over", "out", "some", "there", "where", "when", "what", "more", "never", "every", "down", "back",
    "work", "data", "frame", "book", "news", "house", "home", "life", "mean", "land", "water", "head", "hand", "foot",
    "them", "time", "other", "farm", "wood", "road",
];
/// Endings that are words as well.
pub(crate) const ENDINGS: [&str; 6] = ["able", "ship", "hood", "ward", "wards", "less"];
