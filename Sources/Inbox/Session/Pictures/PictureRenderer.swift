import Basics
package import Foundation
package import Platform
package import Screen
import Synchronization

/// Draws pictures with half blocks in the terminal's colours.
///
/// Untrusted bytes are decoded by `chafa` in its own process, with limits on processor time, memory and files. Only the
/// first frame of an animated picture is shown.
package struct PictureRenderer: Sendable {
  /// The colours that the terminal supports.
  package enum Colors: String, Sendable {
    case indexed256 = "256"
    case full
  }

  /// The reason why there is no picture; its alternative text and a link are shown instead.
  package enum Failure: Error, Hashable, Sendable {
    case notAPicture
    case tooLarge
    /// chafa is not installed.
    case noDecoder
    case undecodable
  }

  private let environment: [String: String]

  private let programs: ProgramRunner

  private let programCell = ProgramCell()

  package init(environment: [String: String], programs: ProgramRunner) {
    self.environment = environment
    self.programs = programs
  }

  /// Whether the program that decodes pictures is installed.
  var hasDecoder: Bool { ProgramRunner.isInstalled("chafa", path: environment["PATH"]) }

  /// Draws a picture with half blocks.
  ///
  /// - Parameters:
  ///   - columns, rows: the maximum size; the proportions are kept.
  package func draw(_ bytes: Data, columns: Int, rows: Int, colors: Colors) async throws(Failure)
    -> [StyledText]
  {
    guard let format = PictureFormat(bytes) else { throw .notAPicture }
    guard !format.isTooLarge(bytes) else { throw .tooLarge }
    guard columns > 0, rows > 0 else { return [] }
    let output: [UInt8]
    do throws(ProgramFailure) {
      output = try await run(
        bytes, ["--format", "symbols", "--symbols", "vhalf+space", "--colors", colors.rawValue],
        size: "\(columns)x\(rows)", limit: Limits.pictureOutputBytes)
    } catch {
      switch error {
      case .ended(status: 127, _), .empty, .notInstalled, .cannotStart: throw .noDecoder
      case .ended, .killed, .tookLonger, .printedMore, .cancelled: throw .undecodable
      }
    }
    guard !output.isEmpty else { throw .undecodable }
    return SGRReader.lines(Data(output))
  }

  /// Draws the same picture in pixels.
  ///
  /// - Parameters:
  ///   - cells: the size of its half blocks.
  ///   - number: distinguishes the pictures of this process.
  /// - Returns: `nil` if the program prints anything but a picture.
  func graphic(_ bytes: Data, cells: Size, format: GraphicFormat, number: Int) async -> Graphic? {
    guard !cells.isEmpty, max(cells.columns, cells.rows) <= Limits.graphicColumns else { return nil }
    let wanted = format.pixels(for: cells, natural: PictureFormat(bytes)?.size(bytes))
    do throws(ProgramFailure) {
      guard let unit = try await measuredCell() else { return nil }
      switch format {
      case .kitty:
        return try await kitty(bytes, wanted.cells(of: unit, pixels: Limits.graphicPixels)).map {
          Graphic(
            number: number, size: cells, width: $0.width, height: $0.height,
            pixels: .rgba(base64: Array(Data($0.bytes).base64EncodedData())))
        }
      case .sixel(let cell):
        guard wanted.width >= unit.columns, wanted.height >= unit.rows,
          wanted.width * wanted.height <= Limits.sixelPixels
        else { return nil }
        let output = try await run(
          bytes, ["--format", "sixels", "--font-ratio", "1/1", "--scale", "max"],
          size: "\(wanted.width / unit.columns)x\(wanted.height / unit.rows)", limit: Limits.sixelBytes)
        return SixelAnswer(output, in: wanted).map {
          Graphic(
            number: number, size: cells, width: $0.width, height: $0.height,
            pixels: .sixel($0.data, cell: cell))
        }
      }
    } catch {
      // The half blocks stay.
      return nil
    }
  }

  /// Draws the picture for kitty so that it fills a number of cells of chafa. Its proportions may be wrong then; the
  /// terminal scales it to the cells in the text, whose proportions are right.
  private func kitty(_ bytes: Data, _ cells: Size) async throws(ProgramFailure) -> KittyAnswer? {
    let output = try await run(
      bytes, ["--format", "kitty", "--stretch", "--scale", "max"], size: "\(cells.columns)x\(cells.rows)",
      limit: Limits.graphicAnswerBytes)
    return KittyAnswer(output)
  }

  /// Measures, once with a picture of one pixel, the size in pixels that chafa assumes for a cell if it cannot query a
  /// terminal: 8 by 8 in version 1.12, 10 by 20 in 1.14.5.
  private func measuredCell() async throws(ProgramFailure) -> Size? {
    if let known = programCell.size.withLock({ $0 }) { return known }
    guard let answer = try await kitty(Self.onePixel, Size(columns: 1, rows: 1)) else { return nil }
    let size = Size(columns: answer.width, rows: answer.height)
    programCell.size.withLock { $0 = size }
    return size
  }

  /// The size in pixels that chafa assumes for a cell, once it was measured.
  private final class ProgramCell: Sendable {
    let size = Mutex<Size?>(nil)
  }

  /// A black pixel, as PNG.
  private static let onePixel =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==")
    ?? Data()

  /// Runs chafa with limits, and returns its output.
  private func run(_ bytes: Data, _ options: [String], size: String, limit: Int) async throws(ProgramFailure)
    -> [UInt8]
  {
    var program = Program(
      ["/bin/sh", "-c", Self.script, "sh"] + options + ["--size", size, "-"],
      environment: [
        "PATH": environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
      ], outputLimit: limit, deadline: Limits.pictureTime)
    program.input = Array(bytes)
    return try await programs.run(program)
  }

  /// The shell script that runs chafa with limits. It is constant: it contains nothing from outside. `ulimit`
  /// takes one limit at a time in most shells. Only the picture itself is written to a file: chafa does so if
  /// it has more than 4 MiB.
  private static let script = """
    cd / && ulimit -t 2 && ulimit -v 786432 && ulimit -f 32768 && ulimit -c 0 \
    && exec chafa --animate off --polite on "$@"
    """
}
