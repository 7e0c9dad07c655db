import Foundation
import Glibc
import Platform
import Screen
import Terminal

/// A program that the tests of `Terminal` run in a terminal: it shows its input, and can end in
/// every possible way.
@main
@MainActor
final class TerminalProbe {
  static func main() {
    TaskThreads.install()
    Task { await start() }
    MainLoop.run()
  }

  private static func start() async {
    let environment = ProcessInfo.processInfo.environment
    let options = TerminalOptions(
      terminalType: environment["TERM"], usesColors: (environment["NO_COLOR"] ?? "").isEmpty,
      usesHyperlinks: environment["LINKS"] != nil, asksForWidth: environment["WIDTH"] != nil,
      asksForBackground: environment["BACKGROUND"] != nil,
      graphics: environment["GRAPHICS"].flatMap(GraphicsProtocol.init), pasteLimit: 4096,
      now: { ContinuousClock.now - beginning })
    do {
      try await TerminalProbe(NcursesTerminal(options)).run()
    } catch {
      print("no screen: \(error)")
      exit(3)
    }
    exit(0)
  }

  private nonisolated static let beginning = ContinuousClock.now

  private let terminal: NcursesTerminal
  private var page = ProbePage.events
  private var told: [String] = []
  private var isOver = false
  private var title: SafeText = .empty
  private var cursor: Point?
  private var parked: Point?

  init(_ terminal: NcursesTerminal) { self.terminal = terminal }

  func run() async {
    present()
    let (events, continuation) = AsyncStream.makeStream(of: [ScreenEvent].self)
    terminal.listen { continuation.yield($0) }
    for await batch in events {
      for event in batch {
        switch event {
        case .terminate(let signal):
          terminal.close()
          print("asked to end by signal \(signal)")
          exit(128 + signal)
        case .signsAreWide: told.append("signs are wide")
        case .backgroundIsKnown: told.append("on \(terminal.background.map { "\($0)" } ?? "nothing")")
        case .input(let input):
          told.append(ProbePage.name(of: input))
          if case .key(let press) = input { obey(press.name) }
        }
      }
      if isOver { break }
      present()
    }
    print("closed")
  }

  private func present() {
    terminal.present(
      ProbePage.frame(
        page, size: terminal.size, told: told, status: status, title: title, cursor: cursor, parked: parked))
  }

  private var status: String {
    "probe \(terminal.size.columns)x\(terminal.size.rows) \(terminal.isUTF8 ? "utf8" : "ascii") \(terminal.colors)"
  }

  private func obey(_ key: String) {
    switch key {
    case "q":
      terminal.close()
      isOver = true
    case "e": exit(7)
    case "f": fatalError("the probe trapped")
    case "s": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
    case "a": abort()
    case "o": print(overflow(told.count))
    case "w": page = .wide
    case "c": page = .colors
    case "m": page = .manyColors
    case "h": page = .hello
    case "k": page = .links(down: 0, right: 0, host: "e.example")
    case "u": link(host: nil)
    case "v": link(host: "v.example")
    case "U":
      scroll(down: 1, right: 0)
      link(host: nil)
    case "V":
      scroll(down: 1, right: 0)
      link(host: "v.example")
    case "K": scroll(down: 1, right: 0)
    case "i": scroll(down: -3, right: 0)
    case "I": scroll(down: 0, right: 2)
    case "g": FileHandle.standardError.write(Data("noise on stderr\n".utf8))
    case "y": told.append(terminal.copyToClipboard("a copy ●") ? "copied" : "not copied")
    case "Y":
      told.append(terminal.copyToClipboard(String(repeating: "x", count: 80_000)) ? "copied" : "too long")
    case "b": terminal.ringBell()
    case "t": title = "probe \(untrusted: "● 3")"
    case "p": cursor = Point(column: 5, row: 1)
    case "P": parked = Point(column: 7, row: 2)
    case "r": terminal.redraw()
    case "z":
      told.append("it hangs")
      present()
      while true { continue }
    case "l": runOtherProgram()
    case "j": measure()
    default: if Self.showsPictures { obeyPictureKey(key) }
    }
  }

  /// Digits do nothing in other tests.
  private static let showsPictures = ProcessInfo.processInfo.environment["GRAPHICS"] != nil

  private func obeyPictureKey(_ key: String) {
    switch key {
    case "1": page = .picture(down: 0, number: 1, pixels: 24, isCovered: false)
    case "2": changePicture { $0.down += 1 }
    case "3": changePicture { $0.isCovered.toggle() }
    case "4": changePicture { $0.number += 1 }
    case "5": changePicture { $0.down -= 3 }
    case "6": page = .picture(down: 0, number: 900, pixels: 480, isCovered: false)
    default: break
    }
  }

  private func scroll(down: Int, right: Int) {
    guard case .links(let line, let column, let host) = page else { return }
    page = .links(down: max(0, line + down), right: column + right, host: host)
  }

  private func link(host: String?) {
    guard case .links(let down, let right, _) = page else { return }
    page = .links(down: down, right: right, host: host)
  }

  private func changePicture(
    _ change: (inout (down: Int, number: Int, pixels: Int, isCovered: Bool)) -> Void
  ) {
    guard case .picture(let down, let number, let pixels, let isCovered) = page else { return }
    var picture = (down: down, number: number, pixels: pixels, isCovered: isCovered)
    change(&picture)
    page = .picture(
      down: picture.down, number: picture.number, pixels: picture.pixels, isCovered: picture.isCovered)
  }

  private func overflow(_ depth: Int) -> Int {
    depth == .max ? 0 : overflow(depth + 1) &+ overflow(depth + 2)
  }

  /// Gives the terminal to something else until Enter is pressed.
  private func runOtherProgram() {
    terminal.suspend()
    print("another program")
    told.append("it read \(readLine() ?? "nothing")")
    terminal.resume()
  }

  /// Measures the time of a frame that differs from the last one in one line.
  private func measure() {
    let size = terminal.size
    let frames = (0..<2).map { number in
      var frame = Frame(size: size)
      for row in 0..<size.rows {
        let style: Style = row == number ? .reverse : .plain
        frame.fill(Rect(column: 0, row: row, columns: size.columns, rows: 1), style: style)
        frame.write("● a line of a list, number \(row)", at: Point(column: 0, row: row), style: style)
      }
      return frame
    }
    terminal.present(frames[0])
    let rounds = 200
    let time = ContinuousClock().measure {
      for round in 1...rounds { terminal.present(frames[round % 2]) }
    }
    told.append("a frame takes \(time / rounds / .microseconds(1)) µs")
  }
}
