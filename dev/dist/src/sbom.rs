//! The bill of materials, in the JSON of `CycloneDX`.

use crate::components::Component;
use serde_json::{Value, json};

/// Returns the bill for a version of Weft. It has neither a timestamp nor a serial number, so it is
/// reproducible.
pub(crate) fn text(version: &str, components: &[Component]) -> String {
    let weft = format!("pkg:generic/weft@{version}");
    let names: Vec<&str> = components.iter().map(|part| part.package_url.as_str()).collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": weft,
                "name": "weft",
                "version": version,
                "licenses": [{ "expression": "Apache-2.0" }],
                "purl": weft,
            },
        },
        "components": components.iter().map(component).collect::<Vec<_>>(),
        "dependencies": [{ "ref": weft, "dependsOn": names }],
    });
    format!("{bill:#}\n")
}

fn component(part: &Component) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": part.package_url,
        "name": part.name,
        "version": part.version,
        "purl": part.package_url,
    });
    component["licenses"] = if let Some(expression) = &part.license {
        json!([{ "expression": expression }])
    } else {
        // Debian describes the licenses of a package's files in a text.
        let place = format!("see {} in third-party-licenses.txt", part.name);
        json!([{ "license": { "name": place } }])
    };
    component
}
