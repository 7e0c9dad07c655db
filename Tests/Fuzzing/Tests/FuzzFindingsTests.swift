import Foundation
import Messages
import Services
import Testing

/// Checks the claims for the seeds and for everything that fuzzing has found.
@Suite struct FuzzFindingsTests {
  struct Input: Sendable, CustomTestStringConvertible {
    let target: FuzzTarget
    let file: URL

    var testDescription: String { "\(target.rawValue)/\(file.lastPathComponent)" }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  static func inputs(in name: String) -> [Input] {
    FuzzTarget.allCases.flatMap { target in
      let folder = folder.appending(path: "\(name)/\(target.rawValue)")
      let files =
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
      return files.sorted { $0.path < $1.path }.map { Input(target: target, file: $0) }
    }
  }

  @Test(arguments: inputs(in: "Seeds"))
  func seedsHoldTheirClaims(_ input: Input) throws {
    try input.target.check(Data(contentsOf: input.file))
  }

  @Test(arguments: inputs(in: "Found"))
  func whatWasFoundHoldsItsClaims(_ input: Input) throws {
    try input.target.check(Data(contentsOf: input.file))
  }

  @Test(arguments: FuzzTarget.allCases)
  func everyTargetHasSeeds(_ target: FuzzTarget) {
    #expect(Self.inputs(in: "Seeds").contains { $0.target == target })
  }

  /// Bytes that the service doesn't read would not test anything.
  @Test(arguments: SourceAdapters.serviceKinds)
  func everyServiceReadsItsSeed(_ kind: SourceKind) throws {
    let seeds = try Self.inputs(in: "Seeds").filter { $0.target == .services }.map {
      try Data(contentsOf: $0.file)
    }
    let read = seeds.map(ServiceClaims.read)
    #expect(
      read.contains { $0.kind == kind && $0.inspection.kind == kind && !$0.inspection.messages.isEmpty })
  }

  /// Seeds cut at every length, as by a broken connection.
  @Test(arguments: inputs(in: "Seeds"))
  func cutSeedsHoldTheirClaims(_ input: Input) throws {
    let bytes = try Data(contentsOf: input.file)
    for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
      try input.target.check(bytes.prefix(length))
    }
  }
}
