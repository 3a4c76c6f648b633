//! Firing schedules: ramps to a temperature, and holds.

mod parse;

pub use parse::ParseError;

/// One step of a firing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Heat or cool by so many degrees in an hour, until a temperature is reached.
    Ramp { per_hour: u32, to: i32 },
    /// Stay for so many minutes.
    Hold { minutes: u32 },
}

/// The steps of a firing, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    pub steps: Vec<Step>,
}

impl Schedule {
    /// How long the firing takes, in whole minutes, when it begins at a temperature.
    pub fn minutes(&self, from: i32) -> u32 {
        let mut now = from;
        let mut total = 0;
        for step in &self.steps {
            match *step {
                Step::Ramp { per_hour, to } => {
                    total += ((to - now) as u32 * 60).div_ceil(per_hour);
                    now = to;
                }
                Step::Hold { minutes } => total += minutes,
            }
        }
        total
    }

    /// The hottest that it gets, when it begins at a temperature.
    pub fn peak(&self, from: i32) -> i32 {
        self.steps.iter().fold(from, |peak, step| match *step {
            Step::Ramp { to, .. } => peak.max(to),
            Step::Hold { .. } => peak,
        })
    }
}
