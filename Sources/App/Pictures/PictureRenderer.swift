package import Foundation
import Limits
package import Programs
package import Screen

/// Draws pictures with half blocks in the terminal's colours.
///
/// Untrusted bytes are decoded by `chafa` in its own process, with limits on processor time, memory and files. Of an
/// animated picture the first frame is shown.
package struct PictureRenderer: Sendable {
  /// The colours that the terminal supports.
  package enum Colors: String, Sendable {
    case indexed256 = "256"
    case full
  }

  /// Why there is no picture; its alternative text and a link are shown instead.
  package enum Failure: Error, Hashable, Sendable {
    case notAPicture
    case tooLarge
    /// chafa is not installed.
    case noDecoder
    case undecodable
  }

  private let environment: [String: String]

  private let programs: ProgramRunner

  package init(environment: [String: String], programs: ProgramRunner) {
    self.environment = environment
    self.programs = programs
  }

  /// Whether the program that decodes pictures is installed.
  var hasDecoder: Bool { ProgramRunner.isInstalled("chafa", path: environment["PATH"]) }

  /// - Parameters:
  ///   - columns, rows: the maximum size; the proportions are kept.
  package func draw(_ bytes: Data, columns: Int, rows: Int, colors: Colors) async throws(Failure)
    -> [StyledText]
  {
    guard let format = PictureFormat(bytes) else { throw .notAPicture }
    guard !format.isTooLarge(bytes) else { throw .tooLarge }
    guard columns > 0, rows > 0 else { return [] }
    var program = Program(
      ["/bin/sh", "-c", Self.script, "sh", colors.rawValue, "\(columns)x\(rows)"],
      environment: [
        "PATH": environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
      ], outputLimit: Limits.pictureOutputBytes, deadline: Limits.pictureTime)
    program.input = Array(bytes)
    let output: [UInt8]
    do throws(ProgramFailure) {
      output = try await programs.run(program)
    } catch {
      switch error {
      case .ended(status: 127, _), .empty, .notInstalled, .cannotStart: throw .noDecoder
      case .ended, .killed, .tookLonger, .printedMore, .cancelled: throw .undecodable
      }
    }
    guard !output.isEmpty else { throw .undecodable }
    return SGRReader.lines(Data(output))
  }

  /// The script is constant: it contains nothing from outside.
  private static let script = """
    cd / && ulimit -t 2 -v 786432 -f 0 -c 0; exec chafa --format symbols --symbols vhalf+space --animate off --polite on \
    --colors "$1" --size "$2" -
    """
}
