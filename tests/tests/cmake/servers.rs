//! Servers and their workers, which a project names.

use crate::project::{Project, from_checkout};

#[test]
fn steps_name_the_servers_and_the_workers_of_their_target() {
    let project = Project::copy("tests/cmake/shared");
    let options = "TARGET solver REMOTE_EXECUTOR unix:/run/executor REMOTE_CACHE grpc://cache:1 \
                   REMOTE_PLATFORM pool=any assemble:pool=large \
                   REMOTE_MEMORY_CLASSES 4G:memory=small 16G:memory=large";
    project.edit("CMakeLists.txt", "TARGET solver", options);
    project.cmake("Ninja").args(from_checkout()).succeed();
    let file = project.build_folder().join("build.ninja");
    let file = std::fs::read_to_string(file).expect("the file of Ninja");
    let commands = file.lines().filter(|line| line.contains("COMMAND = ")).collect::<Vec<_>>();
    for verb in ["backend-job import ", "backend-job codegen ", "backend-job assemble "] {
        let command = commands.iter().find(|command| command.contains(verb)).expect(verb);
        for argument in [
            "--remote-executor=unix:/run/executor",
            "--remote-cache=grpc://cache:1",
            "--remote-platform=pool=any",
            "--remote-platform=assemble:pool=large",
            "--remote-memory-class=4G:memory=small",
            "--remote-memory-class=16G:memory=large",
        ] {
            assert!(command.contains(argument), "{argument} is not in {command}");
        }
    }
}
