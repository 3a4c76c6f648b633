//! Schedules as potters write them.

use crate::{Schedule, Step};
use std::fmt;
use std::str::FromStr;

/// A step that cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct ParseError {
    pub step: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "cannot read the step '{}'", self.step)
    }
}

impl std::error::Error for ParseError {}

impl FromStr for Schedule {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let steps = text.split(',').map(|part| step(part.trim())).collect::<Result<_, _>>()?;
        Ok(Schedule { steps })
    }
}

fn step(text: &str) -> Result<Step, ParseError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let read = match words[..] {
        ["hold", minutes] => minutes.parse().ok().map(|minutes| Step::Hold { minutes }),
        [rate, "to", to] => ramp(rate, to),
        _ => None,
    };
    read.ok_or_else(|| ParseError { step: text.to_string() })
}

fn ramp(rate: &str, to: &str) -> Option<Step> {
    let per_hour = rate.strip_suffix("/h")?.parse().ok()?;
    let to = to.parse().ok()?;
    Some(Step::Ramp { per_hour, to })
}
