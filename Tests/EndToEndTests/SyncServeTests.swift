import Foundation
import Sync
import TerminalHarness
import TestBasics
import Testing

/// `reddot sync serve`, as ssh starts it.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct SyncServeTests {
  private let household: Household

  init() throws {
    household = try Household()
    signal(SIGPIPE, SIG_IGN)
  }

  private var folder: String { "\(household.home)/place" }

  /// The only object of each location, of device 1, with the single act 1.
  private static let object = ObjectName(
    device: DeviceID(bytes: [UInt8](repeating: 1, count: 16)) ?? .marker, seqs: 1...1)

  private func place() throws -> PipePlace {
    try PipePlace(
      [BuiltProduct.path("reddot"), "sync", "serve", folder], environment: household.environment,
      place: folder,
      host: "here")
  }

  @Test func itServesAFolderUntilItsInputEnds() throws {
    let requests: [PlaceRequest] = [
      .list, .put(.marker, [1, 2, 3]), .put(Self.object, [4]), .get(Self.object), .changed(seconds: 600),
      .list,
    ]
    let answers: [PlaceAnswer] = [
      .names([]), .done, .done, .bytes([4]), .changed(false), .names([.marker, Self.object]),
    ]
    let input = try household.write("requests", Data(requests.flatMap(\.frame)))
    let ran = try Running(
      BuiltProduct.path("reddot"), ["sync", "serve", folder], environment: household.environment,
      input: input,
      keeping: household
    ).waitForEnd()
    #expect(ran.exit == .status(0))
    #expect(ran.errors == "")
    #expect(ran.outputBytes == Array("reddot-sync 1\n".utf8) + answers.flatMap(\.frame))
  }

  @Test func itNeedsNoSettingsAndMakesNone() throws {
    try household.write(household.settingsFile, "this is = = no settings")
    let place = try place()
    #expect(try place.put(.marker, [1, 2, 3]) == .done)
    #expect(try place.list() == [.marker])
    place.close()
    #expect(!FileManager.default.fileExists(atPath: household.database))
  }

  @Test func itsHelpHasTheLineOfAuthorizedKeys() throws {
    let ran = try household.run("sync", "serve", "--help")
    #expect(ran.output.contains("command=\"reddot sync serve /srv/reddot/ann\",restrict"))
    #expect(try household.run("sync", "serve").exit == .status(64))
  }

  /// A machine's inbox keeps it waiting all day.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task"), "skipped: no /proc"))
  func waitingWakesNothingUp() throws {
    let id = "\(household.home)/id"
    let place = try PipePlace(
      [
        "sh", "-c", "echo $$ >'\(id)'; exec '\(BuiltProduct.path("reddot"))' sync serve '\(folder)'",
      ], environment: household.environment, place: folder, host: "here")
    defer { place.close() }
    #expect(try place.put(.marker, [1, 2, 3]) == .done)
    _ = try place.list()
    let process = try household.text(of: id).dropLast()
    Thread.detachNewThread { _ = try? place.changed(seconds: 600) }
    var (before, last) = (try switches(process), [String: String]())
    // The process begins to wait in one of these spans, which are longer than any timer of a thread pool.
    for _ in 0..<10 {
      poll(nil, 0, 3000)
      last = try switches(process)
      if last == before { break }
      before = last
    }
    #expect(last == before)
    #expect(!last.isEmpty)
  }

  /// Returns the number of times that each thread gave up the processor voluntarily.
  private func switches(_ process: some StringProtocol) throws -> [String: String] {
    var counts: [String: String] = [:]
    for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") {
      let status = try String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8)
      counts[thread] = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }.map(
        String.init)
    }
    return counts
  }
}
