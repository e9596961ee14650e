use super::*;
use crate::oracle::{Memory, Pointer};

const KERNEL: &str = "_Z6kernelPi";
const VARIABLE: &str = "state";

/// Compares variables as [`super::variables`] does, where every variable has an identity.
fn variables(plain: &Image, weft: &Image) -> Vec<Difference> {
    super::variables(plain, weft, &BTreeSet::new(), false)
}

/// A change, and the aspect in which the images then differ.
type Change<T> = (Aspect, fn(&mut T));

fn kernel() -> Kernel {
    Kernel {
        parameters: BTreeMap::from([(0, (0, 24)), (1, (24, 8))]),
        bounds: BTreeMap::from([(0x05, vec![128, 0, 0, 0])]),
        shared_bytes: 1152,
        shared_alignment: 64,
    }
}

fn variable_of(symbol: &str, is_local: bool) -> Variable {
    let pointer = Pointer {
        offset: 8,
        targets: BTreeSet::from(["_Z6calleei".to_owned(), "alias".to_owned()]),
        addend: 0,
        kind: 0,
    };
    Variable {
        symbol: symbol.to_owned(),
        is_local,
        memory: Memory::Global,
        alignment: 16,
        bytes: vec![7; 16],
        pointers: vec![pointer],
    }
}

fn image() -> Image {
    let variables = vec![variable_of(VARIABLE, false), variable_of("_ZL5local", true)];
    Image { kernels: BTreeMap::from([(KERNEL.to_owned(), kernel())]), variables }
}

fn aspects(differences: &[Difference]) -> Vec<(Aspect, &str)> {
    differences.iter().map(|difference| (difference.aspect, difference.symbol.as_str())).collect()
}

#[test]
fn an_image_does_not_differ_from_itself() {
    assert_eq!(kernels(&image(), &[image()], &image()), []);
    assert_eq!(variables(&image(), &image()), []);
}

#[test]
fn a_registered_symbol_is_missed_unless_its_removal_was_said_and_nothing_uses_it() {
    let set = |symbols: &[&str]| symbols.iter().map(|&symbol| symbol.to_owned()).collect();
    let expect = |registered: &[&str], removed: &[&str], used: &[&str]| Expected {
        registered: set(registered),
        removed: set(removed),
        used: set(used),
    };
    assert_eq!(missing(&expect(&[KERNEL, VARIABLE], &[], &[KERNEL]), &image()), []);
    assert_eq!(missing(&expect(&["gone"], &["gone"], &[]), &image()), []);
    for (removed, used) in [(&[][..], &[][..]), (&["gone"], &["gone"]), (&[], &["gone"])] {
        let found = missing(&expect(&["gone"], removed, used), &image());
        assert_eq!(aspects(&found), [(Aspect::Missing, "gone")], "{removed:?} {used:?}");
    }
}

#[test]
fn every_fact_of_a_kernel_counts() {
    let changes: [Change<Kernel>; 7] = [
        (Aspect::Parameters, |kernel| kernel.parameters.clear()),
        (Aspect::Parameters, |kernel| {
            kernel.parameters = BTreeMap::from([(0, (0, 24)), (1, (24, 4))]);
        }),
        (Aspect::LaunchBounds, |kernel| kernel.bounds.clear()),
        (Aspect::LaunchBounds, |kernel| {
            kernel.bounds = BTreeMap::from([(0x05, vec![64, 0, 0, 0])]);
        }),
        (Aspect::LaunchBounds, |kernel| drop(kernel.bounds.insert(0x1B, vec![32, 0]))),
        (Aspect::SharedMemory, |kernel| kernel.shared_bytes -= 4),
        (Aspect::SharedAlignment, |kernel| kernel.shared_alignment = 16),
    ];
    for (aspect, change) in changes {
        let mut other = image();
        other.kernels.values_mut().for_each(change);
        assert_eq!(aspects(&kernels(&image(), &[], &other)), [(aspect, KERNEL)]);
    }
    let mut larger = image();
    larger
        .kernels
        .values_mut()
        .for_each(|kernel| (kernel.shared_bytes, kernel.shared_alignment) = (4096, 128));
    assert_eq!(kernels(&image(), &[], &larger), []);
    let found = kernels(&image(), &[larger], &image());
    assert_eq!(aspects(&found), [(Aspect::SharedAlignment, KERNEL)], "of another link order");
    let found = kernels(&Image::default(), &[], &image());
    assert_eq!(aspects(&found), [(Aspect::Missing, KERNEL)], "a kernel from nowhere");
}

#[test]
fn every_fact_of_a_variable_counts() {
    let changes: [Change<Variable>; 7] = [
        (Aspect::Memory, |variable| variable.memory = Memory::Constant),
        (Aspect::Size, |variable| variable.bytes.push(0)),
        (Aspect::Content, |variable| variable.bytes[3] = 6),
        (Aspect::Content, |variable| variable.pointers.clear()),
        (Aspect::Content, |variable| variable.pointers[0].addend = 4),
        (Aspect::Content, |variable| variable.pointers[0].kind = 2),
        (Aspect::Content, |variable| {
            variable.pointers[0].targets = BTreeSet::from(["other".to_owned()]);
        }),
    ];
    for (aspect, change) in changes {
        let mut other = image();
        change(&mut other.variables[0]);
        assert_eq!(aspects(&variables(&image(), &other)), [(aspect, VARIABLE)]);
    }
    let mut renamed = image();
    renamed.variables[0].pointers[0].targets = BTreeSet::from(["alias".to_owned()]);
    assert_eq!(variables(&image(), &renamed), [], "one of the target's names is enough");
}

#[test]
fn only_local_constants_may_move_and_only_if_the_link_says_so() {
    let moved = |is_local, moves_constants| {
        let [plain, ours] = [Memory::Constant, Memory::Global].map(|memory| {
            let variable = Variable { memory, ..variable_of(VARIABLE, is_local) };
            Image { variables: vec![variable], ..image() }
        });
        aspects(&super::variables(&plain, &ours, &BTreeSet::new(), moves_constants)).len()
    };
    assert_eq!([moved(true, true), moved(true, false), moved(false, true)], [0, 1, 1]);
}

#[test]
fn a_promoted_local_is_the_local_and_two_of_it_are_one_too_many() {
    const PROMOTED: &str = "_ZL5local_weft_0123456789abcdef";
    let mut promoted = image();
    promoted.variables[1] = variable_of(PROMOTED, false);
    assert_eq!(variables(&image(), &promoted), []);
    promoted.variables[1].bytes[0] = 1;
    assert_eq!(aspects(&variables(&image(), &promoted)), [(Aspect::Content, PROMOTED)]);
    let mut copied = image();
    copied.variables.push(variable_of(PROMOTED, false));
    assert_eq!(aspects(&variables(&image(), &copied)), [(Aspect::Copies, "_ZL5local")]);
    let free = BTreeSet::from(["_ZL5local".to_owned()]);
    assert_eq!(super::variables(&image(), &copied, &free, false), []);
    // Literals have no identity.
    let literal = Image { variables: vec![variable_of("_$_str", true)], ..Image::default() };
    let twice = Image { variables: vec![variable_of("_$_str", true); 2], ..Image::default() };
    assert_eq!(variables(&literal, &twice), []);
}

#[test]
fn a_variable_is_aligned_as_it_was_declared() {
    let declared = |alignment, is_weak| {
        let declared = Declared { alignment, is_weak, is_managed: false };
        let variables = BTreeMap::from([(VARIABLE.to_owned(), declared)]);
        Declarations { variables, ..Declarations::default() }
    };
    assert_eq!(alignments(&[declared(16, false)], &image()), []);
    let found = alignments(&[declared(32, false)], &image());
    assert_eq!(aspects(&found), [(Aspect::Alignment, VARIABLE)]);
    // A strong definition prevails, wherever it is in link order.
    assert_eq!(alignments(&[declared(32, true), declared(16, false)], &image()), []);
    assert_eq!(alignments(&[declared(16, true), declared(32, true)], &image()), []);
}

#[test]
fn declared_bounds_and_parameters_count() {
    let entry = Entry {
        parameters: vec![".align 8 .b8 [24]".to_owned()],
        bounds: BTreeMap::from([(".minnctapersm".to_owned(), vec![2])]),
        is_weak: false,
    };
    let of = |entry: &Entry| {
        let kernels = BTreeMap::from([(KERNEL.to_owned(), entry.clone())]);
        [Declarations { kernels, ..Declarations::default() }]
    };
    assert_eq!(entries(&of(&entry), &of(&entry)), []);
    let unbound = Entry { bounds: BTreeMap::new(), ..entry.clone() };
    let found = entries(&of(&entry), &of(&unbound));
    assert_eq!(aspects(&found), [(Aspect::LaunchBounds, KERNEL)]);
    let smaller = Entry { parameters: vec![".align 4 .b8 [24]".to_owned()], ..entry.clone() };
    let found = entries(&of(&entry), &of(&smaller));
    assert_eq!(aspects(&found), [(Aspect::Parameters, KERNEL)]);
    // A strong definition prevails, wherever it is in link order.
    let weak = Entry { is_weak: true, ..unbound };
    assert_eq!(entries(&[of(&weak), of(&entry)].concat(), &of(&entry)), []);
    assert_eq!(entries(&[of(&entry), of(&weak)].concat(), &of(&entry)), []);
}

#[test]
fn shared_with_the_host_on_one_side_alone_counts() {
    let of = |is_managed| {
        let declared = Declared { alignment: 4, is_weak: false, is_managed };
        let variables = BTreeMap::from([(VARIABLE.to_owned(), declared)]);
        [Declarations { variables, ..Declarations::default() }]
    };
    assert_eq!(managed(&of(true), &of(true)), []);
    for (one, other) in [(true, false), (false, true)] {
        let found = managed(&of(one), &of(other));
        assert_eq!(aspects(&found), [(Aspect::Memory, VARIABLE)]);
    }
}
