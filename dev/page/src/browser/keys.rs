//! Keys as the browser wants them.

use serde_json::{Value, json};

/// Returns the events of pressing and releasing a key.
pub(super) fn events(key: &str) -> (Value, Value) {
    let (name, modifiers) = match key.strip_prefix("Shift+") {
        Some(name) => (name, 8),
        None => (key, 0),
    };
    let code = code(name);
    let mut down = json!({
        "type": "rawKeyDown",
        "key": name,
        "code": name,
        "windowsVirtualKeyCode": code,
        "modifiers": modifiers,
    });
    let text = if name == "Enter" { "\r" } else { name };
    if text.chars().count() == 1 {
        down["type"] = json!("keyDown");
        down["text"] = json!(text);
    }
    let up = json!({
        "type": "keyUp",
        "key": name,
        "code": name,
        "windowsVirtualKeyCode": code,
        "modifiers": modifiers,
    });
    (down, up)
}

/// Returns the number of a key on Windows, which the browser goes by.
fn code(name: &str) -> u32 {
    match name {
        "Tab" => 9,
        "Enter" => 13,
        "Escape" => 27,
        "PageUp" => 33,
        "PageDown" => 34,
        "End" => 35,
        "Home" => 36,
        "ArrowLeft" => 37,
        "ArrowUp" => 38,
        "ArrowRight" => 39,
        "ArrowDown" => 40,
        "Delete" => 46,
        "+" => 187,
        "-" => 189,
        "/" => 191,
        _ => name.chars().next().map_or(0, |letter| letter.to_ascii_uppercase().into()),
    }
}
