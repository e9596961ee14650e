//! The demo's numbers as lines `metric NAME VALUE`, for machines.

use std::fmt::Write as _;

use crate::measure::{Build, Cost, Measurement};
use dev_builds::Variant;

/// Renders all metrics. Costs are sums over the launched kernels, times are wall seconds of the
/// device link.
pub(super) fn lines(measurement: &Measurement) -> String {
    let mut text = String::new();
    let mut metric = |name: &str, value: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "metric demo.{name} {value}");
    };
    let sums = measurement.sums();
    let costs: [(&str, Cost); 4] = [
        ("calls", |cost| cost.calls),
        ("stack", |cost| cost.stack),
        ("regs", |cost| cost.registers),
        ("spills", |cost| cost.local_accesses),
    ];
    for (name, cost) in costs {
        for variant in Variant::ALL {
            metric(&format!("{name}_{}", variant.name()), cost(sums.of(variant)).to_string());
        }
    }
    let changes = &measurement.changes;
    for variant in Variant::ALL {
        let name = variant.name();
        let seconds = |build: &Build| format!("{:.3}", build.image.seconds);
        metric(&format!("image_bytes_{name}"), measurement.images.of(variant).bytes.to_string());
        metric(&format!("seconds_{name}"), seconds(measurement.builds.of(variant)));
        let private = changes.private.builds.of(variant);
        metric(&format!("seconds_private_edit_{name}"), seconds(private));
        metric(&format!("seconds_shared_edit_{name}"), seconds(changes.shared.builds.of(variant)));
    }
    let packed = &measurement.packed;
    metric("seconds_weft_packed", format!("{:.3}", packed.seconds));
    metric("packed_over_dlto", format!("{:.3}", packed.seconds / packed.dlto_seconds));
    let nothing = &changes.nothing.builds.weft;
    let noop = [&nothing.objects, &nothing.image, &nothing.program];
    let noop: usize = noop.iter().map(|log| log.steps.len()).sum();
    metric("jobs_noop", noop.to_string());
    for (name, change) in [("private", &changes.private), ("shared", &changes.shared)] {
        let count = change.builds.weft.image.count(&["codegen", "assemble"]);
        metric(&format!("jobs_{name}_edit"), count.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_metric_and_jobs_are_counted() {
        let lines = lines(&Measurement::sample());
        for line in lines.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(words.len() == 3 && words[0] == "metric" && words[1].starts_with("demo."));
            assert!(words[2].parse::<f64>().is_ok(), "{line}");
        }
        for line in ["calls_weft 0", "jobs_noop 0", "jobs_private_edit 2", "jobs_shared_edit 4"] {
            assert!(lines.contains(&format!("metric demo.{line}\n")), "{line} is not in {lines}");
        }
    }
}
