import Foundation

/// Descriptors 0, 1 and 2.
enum StandardDescriptors {
  /// Opens the closed ones on /dev/null. Otherwise the next file that is opened gets the number, and an answer or a message is
  /// written into it.
  static func openClosed() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is the one that is missing.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
