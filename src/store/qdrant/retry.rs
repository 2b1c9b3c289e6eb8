//! Which failed calls are worth another try, and when.
//!
//! Every call that the store makes may be repeated: writes are keyed by record id, deletions name what is to go.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::Duration;

use qdrant_client::QdrantError;

use super::failed;
use crate::store::StoreError;

/// Tries in all. With the delays below a server may be away for about ten seconds.
const ATTEMPTS: u32 = 6;
/// Delay before the second try; doubled for each further one.
const FIRST_DELAY: Duration = Duration::from_millis(250);
/// No delay is longer, whatever the server asks for.
const LONGEST_DELAY: Duration = Duration::from_secs(30);

/// The gRPC status codes that the store tells apart.
pub(super) mod code {
    pub(crate) const CANCELLED: i32 = 1;
    pub(crate) const UNKNOWN: i32 = 2;
    pub(crate) const DEADLINE_EXCEEDED: i32 = 4;
    pub(crate) const PERMISSION_DENIED: i32 = 7;
    pub(crate) const RESOURCE_EXHAUSTED: i32 = 8;
    pub(crate) const ABORTED: i32 = 10;
    pub(crate) const UNAVAILABLE: i32 = 14;
    pub(crate) const UNAUTHENTICATED: i32 = 16;
}

/// Runs `call` until it succeeds, fails for good, or has had its tries.
pub(super) async fn retry<T, F>(operation: &'static str, mut call: impl FnMut() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, QdrantError>>,
{
    let mut attempt = 1;
    loop {
        let error = match call().await {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        let Some(delay) = delay(attempt, status_code(&error), asked_delay(&error), jitter()) else {
            return Err(failed(operation, &error));
        };
        tracing::debug!(operation, attempt, ?delay, %error, "qdrant call failed, trying again");
        tokio::time::sleep(delay).await;
        attempt += 1;
    }
}

/// The gRPC status of an answer, or `None` where the error has none.
pub(super) fn status_code(error: &QdrantError) -> Option<i32> {
    match error {
        QdrantError::ResponseError { status } | QdrantError::ResourceExhaustedError { status, .. } => {
            Some(status.code().into())
        }
        _ => None,
    }
}

fn asked_delay(error: &QdrantError) -> Option<Duration> {
    match error {
        QdrantError::ResourceExhaustedError { retry_after_seconds, .. } => {
            Some(Duration::from_secs(*retry_after_seconds))
        }
        _ => None,
    }
}

/// How long to wait after the failed try number `attempt` (from 1), or `None` for never. `jitter` in 0..1 spreads
/// writers that failed together.
fn delay(attempt: u32, status: Option<i32>, asked: Option<Duration>, jitter: f64) -> Option<Duration> {
    let passing = matches!(
        status?,
        // A connection that breaks in the middle of a call shows as `UNKNOWN` or `CANCELLED`.
        code::CANCELLED
            | code::UNKNOWN
            | code::DEADLINE_EXCEEDED
            | code::RESOURCE_EXHAUSTED
            | code::ABORTED
            | code::UNAVAILABLE
    );
    if !passing || attempt >= ATTEMPTS {
        return None;
    }
    let backoff = FIRST_DELAY.saturating_mul(1 << (attempt - 1).min(16)).mul_f64(0.5 + jitter.clamp(0.0, 1.0));
    Some(asked.unwrap_or_default().max(backoff).min(LONGEST_DELAY))
}

/// A number in 0..1. A fresh hasher is seeded at random; nothing here needs more.
fn jitter() -> f64 {
    f64::from((RandomState::new().hash_one(0_u8) >> 32) as u32) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passing_failures_back_off_and_end() {
        let delays: Vec<_> = (1..=ATTEMPTS).map(|n| delay(n, Some(code::UNAVAILABLE), None, 0.5)).collect();
        let millis: Vec<_> = delays.iter().map(|d| d.map(|d| d.as_millis())).collect();
        assert_eq!(millis, [Some(250), Some(500), Some(1000), Some(2000), Some(4000), None]);
    }

    #[test]
    fn lasting_failures_are_not_repeated() {
        let (invalid_argument, not_found, internal) = (Some(3), Some(5), Some(13));
        for status in [invalid_argument, not_found, internal, Some(code::UNAUTHENTICATED), None] {
            assert_eq!(delay(1, status, None, 0.5), None, "{status:?}");
        }
    }

    #[test]
    fn the_servers_wish_counts_within_bounds() {
        let after = |seconds| delay(1, Some(code::RESOURCE_EXHAUSTED), Some(Duration::from_secs(seconds)), 0.0);
        assert_eq!(after(7), Some(Duration::from_secs(7)));
        assert_eq!(after(3600), Some(LONGEST_DELAY));
        assert_eq!(after(0), Some(FIRST_DELAY / 2), "at the least the own backoff");
    }

    #[test]
    fn jitter_stays_in_range_and_varies() {
        let values: Vec<f64> = (0..20).map(|_| jitter()).collect();
        assert!(values.iter().all(|v| (0.0..=1.0).contains(v)));
        assert!(values.windows(2).any(|w| w[0] != w[1]));
    }
}
