namespace one {
int launch();
}
namespace two {
int launch();
}

int main() { return one::launch() + two::launch(); }
