// A program of the package's own project.
void start();
void fill();
void fill_detail();

int main() {
  start();
  fill();
  fill_detail();
}
