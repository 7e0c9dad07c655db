import Foundation
import TerminalHarness
import TestBasics
import Testing

@testable import Banners

/// The properties of the script's process in the kernel's files.
struct ScriptConfinementTests {
  private func running() async throws -> (process: ScriptProcess, id: Int32) {
    let process = ScriptProcessTests.process()
    _ = try await process.send(ScriptProcessTests.load(""))
    return (process, try #require(await process.processID))
  }

  private func text(_ id: Int32, _ name: String) throws -> String {
    try String(contentsOfFile: "/proc/\(id)/\(name)", encoding: .utf8)
  }

  @Test func itHasTheStandardStreamsAndNoOtherDescriptor() async throws {
    // A descriptor that a library could leave open in every child.
    let careless = open("/etc/hostname", O_RDONLY)
    defer { close(careless) }
    let (process, id) = try await running()
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")
    #expect(Set(open) == ["0", "1", "2"])
    let streams = try open.map {
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/fd/\($0)")
    }
    #expect(streams.allSatisfy { $0.hasPrefix("pipe:") })
    await process.end()
  }

  @Test func itHasNoEnvironmentAndOneThread() async throws {
    let (process, id) = try await running()
    #expect(try text(id, "environ") == "")
    let status = try text(id, "status")
    #expect(status.contains("Threads:\t1\n"))
    // The signal that ends an endless loop isn't blocked.
    for mask in ["SigBlk", "SigIgn"] {
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(mask) })
      let bits = try #require(UInt64(line.dropFirst(mask.count + 2), radix: 16))
      #expect(bits & 1 << UInt64(SIGPROF - 1) == 0)
    }
    await process.end()
  }

  @Test(arguments: [
    "Max open files": "3", "Max processes": "0", "Max file size": "0", "Max core file size": "0",
  ])
  func theKernelHoldsItsLimits(limit: String, value: String) async throws {
    let (process, id) = try await running()
    let line = try text(id, "limits").split(separator: "\n").first { $0.hasPrefix(limit) }
    let values = try #require(line).dropFirst(limit.count).split(separator: " ")
    #expect(values.prefix(2) == [Substring(value), Substring(value)])
    await process.end()
  }

  @Test func itsAddressSpaceEndsNotFarBeyondTheProgramItself() async throws {
    let (process, id) = try await running()
    let line = try text(id, "limits").split(separator: "\n").first { $0.hasPrefix("Max address space") }
    let limit = try #require(line.flatMap { Int($0.split(separator: " ")[3]) })
    let size =
      try #require(
        Int(try text(id, "statm").split(separator: " ")[0])) * Int(getpagesize())
    #expect(limit - size <= 130 << 20)
    await process.end()
  }

  @Test func nothingIsLeftOfItAtTheEnd() async throws {
    let (process, id) = try await running()
    await process.end()
    #expect(kill(id, 0) == -1 && errno == ESRCH)
    await #expect(throws: ScriptProcess.Failure.overran) {
      try await process.send(ScriptProcessTests.press("close()"))
    }
  }

  @Test func nothingIsLeftOfItWhenItsOwnerIsGone() async throws {
    let id: Int32
    do { id = try await running().id }
    // The thread of the last answer may release it a moment later.
    let deadline = ContinuousClock.now + HangLimit.duration
    while kill(id, 0) == 0, ContinuousClock.now < deadline { await Task.yield() }
    #expect(kill(id, 0) == -1 && errno == ESRCH)
  }

  @Test func endingItInTheMiddleOfAnEventFailsTheEvent() async throws {
    let (process, _) = try await running()
    let event = Task { try await process.send(ScriptProcessTests.press("while (true) {}")) }
    await process.end()
    await #expect(throws: ScriptProcess.Failure.overran) { try await event.value }
  }

  @Test func aMissingOrWrongProgramIsReported() async {
    signal(SIGPIPE, SIG_IGN)
    let missing = ScriptProcess(executable: "/nowhere/reddot", arguments: [])
    await #expect(
      throws: ScriptProcess.Failure.cannotStart(reason: "/nowhere/reddot: No such file or directory")
    ) { try await missing.send(ScriptProcessTests.press("close()")) }
    let wrong = ScriptProcess(executable: "/bin/false", arguments: [])
    await #expect(
      throws: ScriptProcess.Failure.cannotStart(reason: "the script's process ended with status 1")
    ) { try await wrong.send(ScriptProcessTests.press("close()")) }
  }

  @Test(arguments: ["/bin/cat", "/usr/bin/yes"])
  func whatAnswersNoAnswerIsStopped(program: String) async {
    signal(SIGPIPE, SIG_IGN)
    let process = ScriptProcess(executable: program, arguments: [])
    await #expect(throws: ScriptProcess.Failure.overran) {
      try await process.send(ScriptProcessTests.press("close()"))
    }
  }

  @Test func aProcessThatDoesNotAnswerInTimeIsStopped() async {
    let process = ScriptProcess(executable: "/bin/sleep", arguments: ["60"], deadline: .milliseconds(50))
    await #expect(throws: ScriptProcess.Failure.overran) {
      try await process.send(ScriptProcessTests.press("close()"))
    }
  }

  @Test func whenTheParentIsKilledTheEndOfItsInputEndsIt() throws {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: BuiltProduct.path("reddot"))
    child.arguments = ["script-host"]
    child.standardInput = FileHandle.nullDevice
    try child.run()
    child.waitUntilExit()
    #expect(child.terminationReason == .exit && child.terminationStatus == 0)
  }
}
