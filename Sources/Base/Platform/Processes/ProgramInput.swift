import Foundation

/// The standard input of a program.
enum ProgramInput {
  /// Returns `/dev/null` or an anonymous file with the bytes. A pipe would have to be written while the program runs.
  static func descriptor(holding bytes: [UInt8], of program: String) throws(ProgramFailure) -> Int32 {
    do throws(POSIXError) {
      guard !bytes.isEmpty else { return try opened(open("/dev/null", O_RDONLY | O_CLOEXEC)) }
      var template = Array(
        FileManager.default.temporaryDirectory.appending(path: "reddot-XXXXXX").path.utf8CString)
      let file = try opened(mkstemp(&template))
      unlink(template)
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
      do throws(POSIXError) {
        try write(bytes, to: file)
        guard lseek(file, 0, SEEK_SET) == 0 else { throw last() }
      } catch {
        close(file)
        throw error
      }
      return file
    } catch {
      throw .cannotStart(
        program: program, reason: "its standard input: \(String(cString: strerror(error.code.rawValue)))")
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32) throws(POSIXError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw last() }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private static func opened(_ descriptor: Int32) throws(POSIXError) -> Int32 {
    if descriptor < 0 { throw last() }
    return descriptor
  }

  private static func last() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
