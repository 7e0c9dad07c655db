package import Foundation
package import Screen

/// Draws pictures with half blocks in the terminal's colours.
///
/// Decoding hostile bytes is left to `chafa` in a process of its own, with limits on processor time, memory and files; an
/// animated picture shows its first frame.
package struct PictureRenderer: Sendable {
  /// What the terminal can show.
  package enum Colors: String, Sendable {
    case indexed256 = "256"
    case full
  }

  /// Why there is no picture; its alternative text and a link stand instead.
  package enum Failure: Error, Hashable, Sendable {
    case notAPicture
    case tooLarge
    /// chafa is not installed.
    case noDecoder
    case undecodable
  }

  private let environment: [String: String]

  package init(environment: [String: String]) { self.environment = environment }

  /// - Parameters:
  ///   - columns, rows: the most that the picture may take; its proportions are kept.
  package func draw(_ bytes: Data, columns: Int, rows: Int, colors: Colors) async throws(Failure)
    -> [StyledText]
  {
    guard let format = PictureFormat(bytes) else { throw .notAPicture }
    guard !format.isTooLarge(bytes) else { throw .tooLarge }
    guard columns > 0, rows > 0 else { return [] }
    let environment = environment
    let output = await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async {
        continuation.resume(
          returning: Self.run(bytes, size: "\(columns)x\(rows)", colors: colors, environment: environment))
      }
    }
    return SGRReader.lines(try output.get())
  }

  /// The script is fixed text: nothing from outside is part of it.
  private static let script = """
    ulimit -t 2 -v 786432 -f 0 -c 0; exec chafa --format symbols --symbols vhalf+space --animate off --polite on \
    --colors "$1" --size "$2" -
    """

  private static func run(_ bytes: Data, size: String, colors: Colors, environment: [String: String])
    -> Result<Data, Failure>
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, "sh", colors.rawValue, size]
    process.environment = [
      "PATH": environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    guard let input = file(holding: bytes) else { return .failure(.noDecoder) }
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return .failure(.noDecoder)
    }
    let watchdog = DispatchSource.makeTimerSource()
    let pid = process.processIdentifier
    watchdog.schedule(deadline: .now() + 5)
    watchdog.setEventHandler { kill(pid, SIGKILL) }
    watchdog.activate()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    watchdog.cancel()
    switch process.terminationStatus {
    case 0 where process.terminationReason == .exit && !text.isEmpty: return .success(text)
    case 127: return .failure(.noDecoder)
    case _: return .failure(.undecodable)
    }
  }

  /// A file without a name, open for reading: a pipe would end this process should the decoder not read it.
  private static func file(holding bytes: Data) -> FileHandle? {
    let url = FileManager.default.temporaryDirectory.appending(path: "reddot-picture-XXXXXX")
    var template = Array(url.path.utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    unlink(template)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: bytes)
      try handle.seek(toOffset: 0)
      return handle
    } catch {
      return nil
    }
  }
}
