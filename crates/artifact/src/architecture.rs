//! Names of architectures, such as `sm_90a`, and which code fits into which image.

/// Returns the number of an architecture such as `sm_90a`, which is 90.
#[must_use]
pub fn architecture_number(architecture: &str) -> Option<u32> {
    architecture_parts(architecture).map(|(number, _)| number)
}

/// Whether nvlink links code for the architecture `code` into an image for `image`.
///
/// A generation is all architectures with the same digits but for the last one. Code fits into
/// images for later members of its generation: that for `sm_100` into those for `sm_103`, and that
/// for the family `sm_100f` into those for `sm_103a`. Code that has an architecture's own features,
/// such as that for `sm_100a`, fits into images for that one alone.
#[must_use]
pub fn fits(code: &str, image: &str) -> bool {
    if code == image {
        return true;
    }
    let (Some((number, variant)), Some((of_image, _))) =
        (architecture_parts(code), architecture_parts(image))
    else {
        return false;
    };
    variant != OWN_FEATURES && number / 10 == of_image / 10 && number <= of_image
}

/// Returns the architecture among `present` whose code suits an image for `image` best: that
/// itself, or else the latest one that fits; `None` if none does.
pub fn best_fit<'name>(
    present: impl IntoIterator<Item = &'name str>,
    image: &str,
) -> Option<&'name str> {
    let fitting = present.into_iter().filter(|code| fits(code, image));
    fitting.max_by_key(|code| (*code == image, architecture_parts(code)))
}

/// Suffix of an architecture whose code may use features that no other one has.
const OWN_FEATURES: &str = "a";

/// Returns the number and the variant of an architecture, such as 90 and `a` of `sm_90a`.
#[must_use]
pub fn architecture_parts(architecture: &str) -> Option<(u32, &str)> {
    let rest = architecture.strip_prefix("sm_")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    Some((rest[..digits].parse().ok()?, &rest[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As nvlink 13.5 links and refuses them.
    #[test]
    fn code_fits_into_images_of_its_generation() {
        for (code, image) in [
            ("sm_90", "sm_90"),
            ("sm_90", "sm_90a"),
            ("sm_80", "sm_86"),
            ("sm_100", "sm_103"),
            ("sm_103", "sm_103a"),
            ("sm_100f", "sm_103"),
            ("sm_100f", "sm_103a"),
            ("sm_120f", "sm_121a"),
            ("sm_100a", "sm_100a"),
        ] {
            assert!(fits(code, image), "{code} in {image}");
        }
        for (code, image) in [
            ("sm_100a", "sm_100"),
            ("sm_100a", "sm_103a"),
            ("sm_103", "sm_100"),
            ("sm_90", "sm_100"),
            ("sm_80", "sm_90"),
            ("compute_90", "sm_90"),
            ("", "sm_90"),
        ] {
            assert!(!fits(code, image), "{code} in {image}");
        }
    }

    #[test]
    fn the_latest_code_that_fits_is_taken() {
        let all = ["sm_80", "sm_100", "sm_100f", "sm_103", "sm_103a"];
        assert_eq!(best_fit(all, "sm_103a"), Some("sm_103a"));
        assert_eq!(best_fit(all, "sm_103"), Some("sm_103"));
        assert_eq!(best_fit(all, "sm_103f"), Some("sm_103"));
        assert_eq!(best_fit(all, "sm_100a"), Some("sm_100f"));
        assert_eq!(best_fit(all, "sm_89"), Some("sm_80"));
        assert_eq!(best_fit(all, "sm_90"), None);
    }
}
