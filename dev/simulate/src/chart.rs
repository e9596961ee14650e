//! A chart of curves as SVG, with logarithmic axes.
//!
//! The picture brings its background along and takes the reader's light or dark theme, so that it
//! can be read on any page.

use std::fmt::Write as _;

/// One curve.
#[derive(Debug)]
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Points, by x.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 110.0;

const STYLE: &str = "\
svg{color-scheme:light dark;font:13px system-ui,sans-serif}\
.back{fill:#fff}.grid{stroke:#d0d7de}text{fill:#1f2328}.title{font-weight:600}\
.c0{--c:#0550ae}.c1{--c:#a40e26}.c2{--c:#116329}.c3{--c:#7d4e00}\
.curve{fill:none;stroke:var(--c);stroke-width:2}.dot{fill:var(--c)}\
@media(prefers-color-scheme:dark){.back{fill:#0d1117}.grid{stroke:#30363d}text{fill:#e6edf3}\
.c0{--c:#79c0ff}.c1{--c:#ff7b72}.c2{--c:#7ee787}.c3{--c:#e3b341}}";
/// Dashes of the curves, as colors alone do not tell them apart for everyone.
const DASHES: [&str; 4] = ["none", "7 4", "2 3", "10 3 2 3"];

/// Draws the curves. `x` and `y` name the axes.
pub fn draw(title: &str, x: &str, y: &str, curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let across = Axis::around(points().map(|point| point.0), LEFT, WIDTH - RIGHT);
    let up = Axis::around(points().map(|point| point.1), HEIGHT - BOTTOM, TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"back\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"26\">{title}</text>\n"
    );
    // Writing to a String cannot fail.
    for value in across.ticks() {
        let (at, end) = (across.place(value), HEIGHT - BOTTOM);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{at:.1} {TOP}V{end}\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">{}</text>",
            end + 20.0,
            label(value)
        );
    }
    for value in up.ticks() {
        let (at, end) = (up.place(value), WIDTH - RIGHT);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{end}\"/><text x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            at + 4.0,
            label(value)
        );
    }
    let (middle, bottom) = ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - BOTTOM + 42.0);
    let side = (TOP + HEIGHT - BOTTOM) / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{bottom}\" text-anchor=\"middle\">{x}</text>\n<text x=\"20\" \
         y=\"{side}\" text-anchor=\"middle\" transform=\"rotate(-90 20 {side})\">{y}</text>"
    );
    for (number, curve) in curves.iter().enumerate() {
        svg += &draw_curve(number, curve, &across, &up);
    }
    svg + "</svg>\n"
}

fn draw_curve(number: usize, curve: &Curve, across: &Axis, up: &Axis) -> String {
    let places: Vec<String> = curve
        .points
        .iter()
        .map(|&(x, y)| format!("{:.1} {:.1}", across.place(x), up.place(y)))
        .collect();
    let (class, dash) = (number % DASHES.len(), DASHES[number % DASHES.len()]);
    let mut text = format!(
        "<g class=\"c{class}\"><path class=\"curve\" stroke-dasharray=\"{dash}\" d=\"M{}\"/>",
        places.join("L")
    );
    for place in &places {
        let (x, y) = place.split_once(' ').unwrap_or_default();
        let _ = write!(text, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>");
    }
    // The legend has two columns below the axis.
    let column = if number.is_multiple_of(2) { LEFT } else { WIDTH / 2.0 };
    let row = HEIGHT - 36.0 + if number < 2 { 0.0 } else { 22.0 };
    let _ = writeln!(
        text,
        "<path class=\"curve\" stroke-dasharray=\"{dash}\" d=\"M{column} {:.1}h36\"/></g><text \
         x=\"{:.1}\" y=\"{row:.1}\">{}</text>",
        row - 4.0,
        column + 44.0,
        curve.name
    );
    text
}

/// A logarithmic axis over whole decades.
#[derive(Debug)]
struct Axis {
    /// Logarithms of the ends.
    from: f64,
    to: f64,
    start: f64,
    end: f64,
}

impl Axis {
    fn around(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let logs: Vec<f64> = values.map(|value| value.max(1e-9).log10()).collect();
        let from = logs.iter().copied().fold(f64::INFINITY, f64::min).floor();
        let to = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil();
        Self { from, to: to.max(from + 1.0), start, end }
    }

    fn place(&self, value: f64) -> f64 {
        let part = (value.max(1e-9).log10() - self.from) / (self.to - self.from);
        self.start + part * (self.end - self.start)
    }

    /// Returns the powers of ten.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (mut exponent, to) = (self.from, self.to);
        std::iter::from_fn(move || {
            let tick = (exponent <= to).then(|| 10.0_f64.powf(exponent));
            exponent += 1.0;
            tick
        })
    }
}

/// Writes a power of ten as people do.
fn label(value: f64) -> String {
    if value >= 1.0 {
        let digits = format!("{value:.0}");
        if digits.len() > 4 { format!("{},000", &digits[..digits.len() - 3]) } else { digits }
    } else {
        format!("{value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_whole_decades() {
        let axis = Axis::around([2.0, 150.0].into_iter(), 0.0, 300.0);
        assert_eq!(axis.ticks().collect::<Vec<_>>(), [1.0, 10.0, 100.0, 1000.0]);
        assert!((axis.place(10.0) - 100.0).abs() < 1e-9);
        assert_eq!([0.1, 1.0, 1000.0, 10_000.0].map(label), ["0.1", "1", "1000", "10,000"]);
    }

    #[test]
    fn a_chart_names_its_curves_and_serves_both_themes() {
        let curve = |name: &str| Curve { name: name.to_owned(), points: vec![(1.0, 9.0)] };
        let svg = draw("times", "workers", "seconds", &[curve("one"), curve("two")]);
        for part in ["<title>times</title>", ">one</text>", ">two</text>", "scheme:dark", "M80 "] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.ends_with("</svg>\n"));
    }
}
