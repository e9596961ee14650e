//! The builds with nvcc: without LTO and with NVIDIA's.

use crate::ninja_file::{Edge, NinjaFile};
use crate::settings::Settings;
use crate::statements::{compile, link};
use crate::step_usage;
use crate::units::Units;
use crate::variant::{ARCHITECTURE, ARCHITECTURE_NUMBER, Tools};

const RULES: &str = include_str!("rules/nvcc.ninja");

/// Host object with the linked device image.
pub(super) const DEVICE_OBJECT: &str = "device_link.o";

/// Differences of the two builds.
pub(super) struct Style {
    compile_target: fn() -> String,
    link_target: fn() -> String,
}

/// SASS for every unit, and calls between units.
pub(super) const RDC: Style = Style {
    compile_target: || format!("-arch={ARCHITECTURE}"),
    link_target: || format!("-arch={ARCHITECTURE}"),
};

/// Intermediate code for every unit, which the link compiles.
pub(super) const DLTO: Style = Style {
    compile_target: || {
        format!("-gencode arch=compute_{ARCHITECTURE_NUMBER},code=lto_{ARCHITECTURE_NUMBER}")
    },
    link_target: || format!("-dlto -arch={ARCHITECTURE}"),
};

/// Writes all statements of the build.
pub(super) fn write(
    file: &mut NinjaFile,
    units: &Units,
    tools: &Tools,
    settings: &Settings,
    style: &Style,
) {
    let options = [settings.compile_options.as_slice(), &settings.nvcc_options].concat();
    file.variable("compile_options", &options.join(" "));
    file.variable_path("nvcc", &tools.toolchain.nvcc);
    file.variable("compile_target", &(style.compile_target)());
    file.variable("link_target", &(style.link_target)());
    if settings.usage {
        file.rules(&step_usage::with_usage(RULES));
    } else {
        file.rules(RULES);
    }
    let cuda = compile(file, "compile", &units.cuda);
    let host = compile(file, "compile-host", &units.host);
    let device = file.path(DEVICE_OBJECT);
    file.edge(&Edge {
        rule: "device-link",
        outputs: vec![device.clone()],
        inputs: cuda.clone(),
        ..Edge::default()
    });
    link(file, "link", [cuda, host].concat(), device);
}
