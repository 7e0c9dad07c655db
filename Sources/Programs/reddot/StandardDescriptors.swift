import Foundation

/// The descriptors of standard input, output and error: 0, 1 and 2.
enum StandardDescriptors {
  /// Opens closed standard descriptors on /dev/null. Otherwise, the next opened file would get the number of one, and
  /// output or a message would be written into the file.
  static func openClosed() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is the missing one.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
