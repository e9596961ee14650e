//! Reads pictures in the format PNG, as the browser writes them: 8 bits, colors with or without
//! alpha, not interlaced.

use std::collections::BTreeSet;
use std::io::Read as _;

use dev_process::{Error, Result};
use flate2::read::ZlibDecoder;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The pixels of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Red, green and blue, row by row.
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads a picture.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        Self::read(bytes).ok_or_else(|| Error::new("the picture is no PNG of the kind known here"))
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(SIGNATURE)?;
        let (mut head, mut packed) = (None, Vec::new());
        while !rest.is_empty() {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let (kind, after) = after.split_first_chunk::<4>()?;
            let (body, after) =
                after.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
            match kind {
                b"IHDR" => head = Some(body),
                b"IDAT" => packed.extend_from_slice(body),
                _ => {}
            }
            rest = after.get(4..)?;
        }
        let (width, head) = head?.split_first_chunk::<4>()?;
        let (height, head) = head.split_first_chunk::<4>()?;
        let channels = match head {
            [8, 2, 0, 0, 0] => 3,
            [8, 6, 0, 0, 0] => 4,
            _ => return None,
        };
        let width = usize::try_from(u32::from_be_bytes(*width)).ok()?;
        let height = usize::try_from(u32::from_be_bytes(*height)).ok()?;
        let mut lines = Vec::new();
        ZlibDecoder::new(packed.as_slice()).read_to_end(&mut lines).ok()?;
        let pixels = unfiltered(&lines, width * channels, channels)?;
        let pixels: Vec<[u8; 3]> =
            pixels.chunks_exact(channels).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        (pixels.len() == width * height).then_some(Self { width, height, pixels })
    }

    /// Returns the number of colors of the picture.
    pub fn colors(&self) -> usize {
        self.pixels.iter().collect::<BTreeSet<_>>().len()
    }

    /// Returns the share of pixels, of 1, that do not have the most frequent color.
    pub fn filled(&self) -> f64 {
        let mut sorted = self.pixels.clone();
        sorted.sort_unstable();
        let longest = sorted.chunk_by(|one, other| one == other).map(<[_]>::len).max();
        let (longest, all) = (number(longest.unwrap_or(0)), number(self.pixels.len()));
        1.0 - longest / all.max(1.0)
    }

    /// Returns the mean lightness of the pixels, from 0 for black to 1 for white.
    pub fn lightness(&self) -> f64 {
        let sum: u64 = self.pixels.iter().flatten().map(|value| u64::from(*value)).sum();
        let all = number(self.pixels.len()) * 3.0 * 255.0;
        number(usize::try_from(sum).unwrap_or(usize::MAX)) / all.max(1.0)
    }
}

#[expect(clippy::cast_precision_loss, reason = "pictures have less than 2^52 pixels")]
fn number(count: usize) -> f64 {
    count as f64
}

/// Undoes the filters of rows of `bytes` bytes, each behind the number of its filter.
fn unfiltered(lines: &[u8], bytes: usize, channels: usize) -> Option<Vec<u8>> {
    let mut pixels: Vec<u8> = Vec::with_capacity(lines.len());
    let mut above = vec![0; bytes];
    for line in lines.chunks_exact(bytes + 1) {
        let (filter, row) = line.split_first()?;
        let mut made: Vec<u8> = Vec::with_capacity(bytes);
        for (at, value) in row.iter().enumerate() {
            let left = if at < channels { 0 } else { made[at - channels] };
            let up = above[at];
            let corner = if at < channels { 0 } else { above[at - channels] };
            let guess = match filter {
                0 => 0,
                1 => left,
                2 => up,
                3 => left.midpoint(up),
                4 => paeth(left, up, corner),
                _ => return None,
            };
            made.push(value.wrapping_add(guess));
        }
        pixels.extend_from_slice(&made);
        above = made;
    }
    Some(pixels)
}

/// Returns the neighbor that is closest to the plane through all three, as the format defines it.
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let plane = i16::from(left) + i16::from(up) - i16::from(corner);
    let distance = |value: u8| (plane - i16::from(value)).abs();
    let (to_left, to_up, to_corner) = (distance(left), distance(up), distance(corner));
    if to_left <= to_up && to_left <= to_corner {
        left
    } else if to_up <= to_corner {
        up
    } else {
        corner
    }
}
