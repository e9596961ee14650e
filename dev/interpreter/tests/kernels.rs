//! Kernels in PTX text, with known results.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use dev_interpreter::{Launch, Machine, Program, Result};

/// Returns a kernel `k` of one pointer, in `%rd1`. `%r1` holds the thread's number and `%rd2` the
/// place of its word.
fn kernel(declarations: &str, body: &str) -> String {
    format!(
        "{declarations}\n.visible .entry k(.param .u64 k_param_0)\n{{\n.reg .pred %p<9>;\n.reg \
        .b16 \
         %h<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\nld.param.u64 %rd1, [k_param_0];\nmov.u32 \
         %r1, %tid.x;\nmad.wide.u32 %rd2, %r1, 4, %rd1;\n{body}\nret;\n}}\n"
    )
}

/// Runs `k` from several files and returns the words at its pointer.
fn run_files(files: &[&str], threads: u32) -> Result<Vec<u32>> {
    let names = ["a.ptx", "b.ptx", "c.ptx"];
    let program = Program::link(names.into_iter().zip(files.iter().copied()))?;
    let mut machine = Machine::new(&program);
    let memory = machine.allocate(4 * threads as usize);
    let arguments = [memory.to_le_bytes().to_vec()];
    let launch = Launch {
        dynamic_shared_bytes: 64,
        step_limit: 100_000,
        ..Launch::new("k", [1, 1, 1], [threads, 1, 1], &arguments)
    };
    machine.launch(&launch)?;
    let bytes = machine.read(memory, 4 * u64::from(threads))?;
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
}

fn run(declarations: &str, body: &str, threads: u32) -> Result<Vec<u32>> {
    run_files(&[&kernel(declarations, body)], threads)
}

fn refused(declarations: &str, body: &str, threads: u32) -> String {
    run(declarations, body, threads).unwrap_err().to_string()
}

const DOUBLE: &str = ".visible .func (.param .b32 result) twice(.param .b32 value)\n{\n.reg .b32 \
                      %r<3>;\nld.param.b32 %r1, [value];\nadd.u32 %r2, %r1, %r1;\nst.param.b32 \
                      [result], %r2;\nret;\n}\n";
const CALL: &str = "{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r1;";

#[test]
fn calls_pass_values_directly_and_by_tables() {
    let direct = format!("{CALL} call.uni (q), twice, (p); ld.param.b32 %r2, [q]; }}");
    let store = "st.global.u32 [%rd2], %r2;";
    assert_eq!(run(DOUBLE, &format!("{direct}{store}"), 3).unwrap(), [0, 2, 4]);

    let table = format!("{DOUBLE}.global .align 8 .u64 table[2] = {{0, twice}};");
    let indirect = format!(
        "ld.global.u64 %rd3, [table+8]; {CALL} proto: .callprototype (.param .b32 _) _ (.param \
        .b32 \
         _); call (q), %rd3, (p), proto; ld.param.b32 %r2, [q]; }}"
    );
    assert_eq!(run(&table, &format!("{indirect}{store}"), 3).unwrap(), [0, 2, 4]);
}

#[test]
fn files_are_linked_by_names() {
    let user = kernel(
        ".extern .func (.param .b32 r) twice(.param .b32 v);\n.extern .global .align 4 .u32 g;",
        &format!(
            "{CALL} call.uni (q), twice, (p); ld.param.b32 %r2, [q]; }} ld.global.u32 %r3, [g]; \
             add.u32 %r2, %r2, %r3; st.global.u32 [%rd2], %r2;"
        ),
    );
    let strong = format!("{DOUBLE}.visible .global .align 4 .u32 g = 7;");
    let weak = ".weak .global .align 4 .u32 g = 9;\n.global .align 4 .u32 local = 1;";
    for files in [[user.as_str(), weak, strong.as_str()], [&user, &strong, weak]] {
        assert_eq!(run_files(&files, 2).unwrap(), [7, 9]);
    }
    let twice = run_files(&[&user, &strong, &strong], 2).unwrap_err();
    assert_eq!((twice.file.as_str(), twice.message.contains("b.ptx")), ("c.ptx", true));
    let missing = run_files(&[&user], 2).unwrap_err();
    assert!(missing.to_string().contains("nothing defines the symbol"), "{missing}");
}

#[test]
fn branches_go_by_predicates_and_tables() {
    let body = "setp.lt.u32 %p1|%p2, %r1, 2;\n@%p1 mov.u32 %r2, 5;\n@!%p1 mov.u32 %r2, \
    6;\nselp.u32 \
                %r3, 10, 20, %p2;\nadd.u32 %r2, %r2, %r3;\nlist: .branchtargets $A, $B, \
                $C;\nbrx.idx \
                %r1, list;\n$A: add.u32 %r2, %r2, 100;\n$B: add.u32 %r2, %r2, 200;\n$C: \
                st.global.u32 \
                [%rd2], %r2;";
    assert_eq!(run("", body, 3).unwrap(), [325, 225, 16]);
    assert!(refused("", body, 4).contains("list of targets"));
}

#[test]
fn threads_meet_at_barriers() {
    let body = "mul.wide.u32 %rd3, %r1, 4;\nmov.u64 %rd4, dynamic;\nadd.u64 %rd5, %rd4, %rd3;\n\
                st.shared.u32 [%rd5], %r1;\nbar.sync 0;\nmov.u32 %r2, 7;\nsub.u32 %r2, %r2, %r1;\n\
                mad.wide.u32 %rd6, %r2, 4, %rd4;\nld.shared.u32 %r3, [%rd6];\ncvta.shared.u64 \
                %rd7, \
                %rd6;\nld.u32 %r4, [%rd7];\nadd.u32 %r3, %r3, %r4;\nst.global.u32 [%rd2], %r3;";
    let dynamic = ".extern .shared .align 16 .b8 dynamic[];";
    assert_eq!(run(dynamic, body, 8).unwrap(), [14, 12, 10, 8, 6, 4, 2, 0]);
    let vote = "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\nbar.red.popc.u32 %r3, 0, %p1;\n\
                st.global.u32 [%rd2], %r3;";
    assert_eq!(run("", vote, 5).unwrap(), [3; 5]);
    let alone = "setp.eq.u32 %p1, %r1, 0;\n@%p1 bar.sync 0, 64;";
    assert!(refused("", alone, 2).contains("waits for threads"));
}

#[test]
fn atomic_instructions_change_memory_once_for_each_thread() {
    let declared = ".global .align 4 .u32 count = 5;\n.global .align 4 .f32 sum = 0f3F000000;";
    let body = "atom.global.add.u32 %r2, [count], 2;\natom.global.inc.u32 %r3, [count], 9;\n\
                red.global.add.f32 [sum], 0f3F800000;\natom.global.cas.b32 %r4, [count], 0, 77;\n\
                st.global.u32 [%rd2], %r2;";
    assert_eq!(run(declared, body, 4).unwrap(), [5, 8, 77, 77]);
}

#[test]
fn warps_shuffle_vote_match_and_reduce() {
    let one = |instructions: &str, threads: u32| {
        run("", &format!("{instructions}\nst.global.u32 [%rd2], %r2;"), threads).unwrap()
    };
    assert_eq!(one("shfl.sync.down.b32 %r2|%p1, %r1, 1, 31, 15;", 4), [1, 2, 3, 3]);
    assert_eq!(one("shfl.sync.up.b32 %r2|%p1, %r1, 1, 0, 15;", 4), [0, 0, 1, 2]);
    assert_eq!(one("shfl.sync.bfly.b32 %r2, %r1, 1, 31, 15;", 4), [1, 0, 3, 2]);
    assert_eq!(one("shfl.sync.idx.b32 %r2, %r1, 1, 0x1E1F, 15;", 4), [1, 1, 3, 3]);
    let odd = "and.b32 %r3, %r1, 1;\nsetp.ne.u32 %p1, %r3, 0;\n";
    assert_eq!(one(&format!("{odd}vote.sync.ballot.b32 %r2, %p1, 15;"), 4), [10; 4]);
    assert_eq!(one(&format!("{odd}match.any.sync.b32 %r2, %r3, 15;"), 4), [5, 10, 5, 10]);
    assert_eq!(one("redux.sync.add.u32 %r2, %r1, 15;", 4), [6; 4]);
    assert_eq!(one("redux.sync.min.s32 %r2, %r1, 15;", 4), [0; 4]);
    // Threads of a branch run together, whoever comes first.
    let branches = format!("{odd}mov.u32 %r2, 0;\n@%p1 bra $E;\nactivemask.b32 %r2;\n$E:");
    assert_eq!(one(&branches, 4), [5, 0, 5, 0]);
    assert!(refused("", "vote.sync.ballot.b32 %r2, %p1, 2;", 1).contains("lacks the thread"));
}

#[test]
fn carries_and_parts_of_words() {
    let body = "mov.b64 %rd3, {%r1, 7};\nmov.b64 {%r2, %r3}, %rd3;\nadd.cc.u32 %r4, %r2, \
    0xFFFFFFFF;\n\
                addc.u32 %r5, %r3, 0;\nmov.b32 {%h1, %h2}, 0x00030002;\ncvt.u32.u16 %r6, \
                %h2;\nadd.u32 \
                %r5, %r5, %r6;\nst.global.u32 [%rd2], %r5;";
    assert_eq!(run("", body, 3).unwrap(), [10, 11, 11]);
}

#[test]
fn faults_name_the_file_and_the_line() {
    let unknown = refused("", "frobnicate.b32 %r2, %r1;", 1);
    assert_eq!(unknown, "a.ptx:11: the instruction frobnicate.b32 is unknown");
    assert!(refused("", "$L: bra $L;", 1).contains("too many steps"));
    assert!(refused("", "st.global.u32 [%rd2+4], %r1;", 1).contains("outside of the global"));
    assert!(refused("", "st.global.u32 [%rd2+2], %r1;", 1).contains("no multiple of 4"));
    assert!(
        refused(".const .u32 c = 1;", "mov.u64 %rd3, c; st.u32 [%rd3], 1;", 1).contains("constant")
    );
    assert!(refused("", "trap;", 1).contains("trap"));
    let deep = format!("{CALL} call.uni (q), again, (p); }}");
    let again = ".func (.param .b32 r) again(.param .b32 v)\n{\n.param .b32 q;\ncall.uni (q), \
    again, \
                 (v);\nret;\n}";
    assert!(refused(again, &deep, 1).contains("too deep"));
}

#[test]
fn texts_are_printed() {
    let declared = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 l);\n.global \
                    .align 1 .b8 format[6] = {37, 117, 58, 37, 120, 10};\n.global .b8 end[1] = \
                    {0};";
    let body = ".local .align 8 .b8 list[8];\n.reg .b64 %rl;\nmov.u64 %rl, list;\nst.local.u32 \
    [%rl], \
                12;\nst.local.u32 [%rl+4], 255;\ncvta.local.u64 %rd3, %rl;\nmov.u64 %rd4, \
                format;\n{ \
                .param .b64 f; .param .b64 l; .param .b32 r; st.param.b64 [f], %rd4; \
                st.param.b64 [l], \
                %rd3; call.uni (r), vprintf, (f, l); }";
    let declared = declared.replace("format[6]", "format[7]");
    let text = kernel(&declared, body);
    let program = Program::link([("a.ptx", text.as_str())]).unwrap();
    let mut machine = Machine::new(&program);
    let arguments = [0_u64.to_le_bytes().to_vec()];
    machine.launch(&Launch::new("k", [1, 1, 1], [1, 1, 1], &arguments)).unwrap();
    assert_eq!(machine.printed(), "12:ff\n");
}
