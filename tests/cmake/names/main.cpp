int host_one();
int host_two();
int launch_all();
int launch_built();
int launch_folder();
int launch_underscore();
int launch_written();

int main() {
  return launch_all() + launch_built() + launch_folder() + launch_underscore() +
         launch_written() + host_one() + host_two();
}
