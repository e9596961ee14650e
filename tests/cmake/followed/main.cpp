// Launches the kernel of each library.
void launch_source();
void launch_added();
void launch_plus();
void launch_underscore();
void launch_configuration();
void launch_condition();
void launch_whole_archive();
void launch_group();
void launch_file();
void launch_behind_package();
void launch_for_release();
void launch_objects();
void launch_elsewhere();

int main() {
  launch_source();
  launch_added();
  launch_plus();
  launch_underscore();
  launch_configuration();
  launch_condition();
  launch_whole_archive();
  launch_group();
  launch_file();
  launch_behind_package();
  launch_for_release();
  launch_objects();
  launch_elsewhere();
}
