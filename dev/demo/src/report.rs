//! The demo's tables, at most 120 columns wide.

use std::fmt::Write as _;

use crate::measure::{Build, Change, Cost, Measurement, PerVariant};
use dev_builds::{BuildLog, Variant};
use dev_sass::{Image, KernelCost};

/// Columns of a line.
const WIDTH: usize = 120;
/// Columns of the labels at the left of a table.
const LABEL: usize = 30;

const COSTS: [(&str, Cost); 4] = [
    ("registers", |cost| cost.registers),
    ("stack, bytes", |cost| cost.stack),
    ("spills *", |cost| cost.local_accesses),
    ("CALLs", |cost| cost.calls),
];

/// Renders the times of a build's parts in one line.
pub(super) fn progress(build: &Build) -> String {
    let part = |log: &BuildLog, name: &str| {
        format!("{name} {:6.2} s in {:3} commands", log.seconds, log.steps.len())
    };
    format!("{}, {}", part(&build.objects, "objects"), part(&build.image, "device link"))
}

/// Renders the costs of each launched kernel.
pub(super) fn kernels(measurement: &Measurement) -> String {
    let mut text = String::new();
    let title = |(title, _): &(&str, Cost)| format!("  {title:>18}");
    line(&mut text, "", &COSTS.iter().map(title).collect::<String>());
    let names = Variant::ALL.map(|variant| format!("{:>6}", variant.name())).concat();
    line(&mut text, "kernel", &format!("  {names}").repeat(COSTS.len()));
    rule(&mut text);
    for kernel in measurement.launched() {
        let costs = |image: &Image| image.kernels.get(kernel).copied();
        line(&mut text, kernel, &cost_columns(&each(&measurement.images, costs)));
    }
    rule(&mut text);
    let sums = measurement.sums();
    line(&mut text, "sum", &cost_columns(&each(&sums, |sum| Some(*sum))));
    text.push_str(
        "* instructions that load from or store to local memory: registers spilled or saved around \
         calls, arrays on the\n  stack; these and CALLs in the kernel and all that it can reach\n",
    );
    text
}

/// Renders the figures of the three builds.
pub(super) fn builds(measurement: &Measurement) -> String {
    let mut text = String::new();
    line(&mut text, "", &columns(&Variant::ALL.map(|variant| variant.name().to_owned())));
    for kernel in &measurement.removed {
        let fate = |image: &Image| {
            let kept = image.kernels.contains_key(kernel);
            if kept { "kept".to_owned() } else { "removed".to_owned() }
        };
        let fates = columns(&each(&measurement.images, fate));
        line(&mut text, kernel, &format!("{fates}  nothing launches it"));
    }
    let bytes = each(&measurement.images, |image| image.bytes.to_string());
    line(&mut text, "device image, bytes", &columns(&bytes));
    let seconds = each(&measurement.builds, |build| format!("{:.2}", build.objects.seconds));
    line(&mut text, "objects, seconds", &columns(&seconds));
    let jobs = each(&measurement.builds, |build| build.image.steps.len().to_string());
    line(&mut text, "device link, commands", &columns(&jobs));
    line(&mut text, "device link, seconds", &link_seconds(&measurement.builds));
    let packed = format!("{:>20.2}", measurement.packed.seconds);
    line(&mut text, "  packed, 2 jobs per processor", &packed);
    for change in measurement.changes.all() {
        line(&mut text, &format!("  {}", short_title(change)), &link_seconds(&change.builds));
    }
    text
}

fn link_seconds(builds: &PerVariant<Build>) -> String {
    columns(&each(builds, |build| format!("{:.2}", build.image.seconds)))
}

/// Renders the jobs of Weft that ran again after each change, beside all jobs.
pub(super) fn changes(measurement: &Measurement) -> String {
    let mut text = String::new();
    for change in measurement.changes.all() {
        let _ = writeln!(text, "Weft's jobs, {}:", title(change));
        text.push_str(&jobs(&measurement.builds.weft.image, &change.builds.weft.image));
    }
    text
}

/// Renders the jobs that ran again beside those of a whole build, with a line for each verb.
fn jobs(whole: &BuildLog, again: &BuildLog) -> String {
    let mut verbs: Vec<&str> = Vec::new();
    for step in &whole.steps {
        if !verbs.contains(&step.verb.as_str()) {
            verbs.push(&step.verb);
        }
    }
    if again.steps.is_empty() {
        return format!("  none of {} ran: {}\n", whole.steps.len(), verbs.join(", "));
    }
    let mut text = String::new();
    for verb in verbs {
        let (all, units) = (whole.units(verb), again.units(verb));
        let mut row = format!("  {verb:20} {:3} of {:3} ", units.len(), all.len());
        let indent = row.len();
        for unit in units {
            if row.len() + 1 + unit.len() > WIDTH {
                let _ = writeln!(text, "{row}");
                row = " ".repeat(indent);
            }
            let _ = write!(row, " {unit}");
        }
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text
}

fn title(change: &Change) -> String {
    match &change.edit {
        None => "after no edit".to_owned(),
        Some((marker, unit)) => format!("after {marker} in {unit}"),
    }
}

fn short_title(change: &Change) -> String {
    let marker = change.edit.as_ref().map(|(marker, _)| *marker);
    format!("after {}", marker.unwrap_or("no edit"))
}

fn each<T, R>(values: &PerVariant<T>, column: impl Fn(&T) -> R) -> [R; 3] {
    Variant::ALL.map(|variant| column(values.of(variant)))
}

fn cost_columns(costs: &[Option<KernelCost>; 3]) -> String {
    let cell = |cost: &Option<KernelCost>, part: Cost| {
        cost.as_ref().map_or_else(|| format!("{:>6}", "-"), |cost| format!("{:>6}", part(cost)))
    };
    let group = |(_, part): &(&str, Cost)| {
        let cells: String = costs.iter().map(|cost| cell(cost, *part)).collect();
        format!("  {cells}")
    };
    COSTS.iter().map(group).collect()
}

fn columns(cells: &[String; 3]) -> String {
    cells.each_ref().map(|cell| format!("{cell:>10}")).concat()
}

fn line(text: &mut String, label: &str, columns: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}", format!("{label:LABEL$}{columns}").trim_end());
}

fn rule(text: &mut String) {
    let _ = writeln!(text, "{}", "-".repeat(LABEL + COSTS.len() * 20));
}

#[cfg(test)]
mod tests {
    use super::*;
    use dev_builds::Step;

    #[test]
    fn tables_fit_the_width() {
        let mut measurement = Measurement::sample();
        let cost = KernelCost {
            registers: 255,
            stack: 12_345,
            local_accesses: 99_999,
            calls: 9_999,
            ..KernelCost::default()
        };
        let kernel = "k".repeat(LABEL);
        measurement.images.weft.kernels.insert(kernel.clone(), cost);
        for text in [kernels(&measurement), builds(&measurement), changes(&measurement)] {
            assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        }
        let row = "     -   255     -       - 12345     -       - 99999     -       -  9999     -";
        let table = kernels(&measurement);
        assert!(table.contains(&format!("{kernel}  {row}\n")), "{table}");
    }

    #[test]
    fn long_lists_of_units_are_broken_at_the_width() {
        let step = |number: usize| Step {
            verb: "codegen".to_owned(),
            unit: format!("src/a_long_name_of_a_unit_{number:02}.cu"),
        };
        let log = BuildLog { steps: (0..12).map(step).collect(), ..BuildLog::default() };
        let text = jobs(&log, &log);
        assert!(text.starts_with("  codegen               12 of  12  src/a_long"), "{text}");
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(text.matches(".cu").count(), 12);
        let none = jobs(&log, &BuildLog::default());
        assert_eq!(none, "  none of 12 ran: codegen\n");
    }
}
