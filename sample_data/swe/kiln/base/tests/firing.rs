use kiln::{Schedule, Step};

fn read(text: &str) -> Schedule {
    text.parse().unwrap()
}

#[test]
fn a_ramp_takes_its_time() {
    assert_eq!(read("100/h to 320").minutes(20), 180);
}

#[test]
fn a_hold_adds_its_minutes() {
    assert_eq!(read("100/h to 120, hold 30").minutes(20), 90);
}

#[test]
fn the_peak_is_the_hottest_ramp() {
    assert_eq!(read("100/h to 600, 150/h to 1220, hold 10").peak(20), 1220);
}

#[test]
fn steps_stand_in_order() {
    let steps = read("hold 5, 60/h to 80").steps;
    assert_eq!(steps, [Step::Hold { minutes: 5 }, Step::Ramp { per_hour: 60, to: 80 }]);
}

#[test]
fn a_strange_step_is_named() {
    let error = "100/h to 600, wait 5".parse::<Schedule>().unwrap_err();
    assert_eq!(error.to_string(), "cannot read the step 'wait 5'");
}
