import Basics
package import Formats
import Foundation
import HTTP
import Messages
package import Platform
import Profile
import Services
package import Settings
import Storage

/// The control file that a command's argument names: a URL, a path, or `-` for standard input.
package struct GivenControlFile: Sendable {
  private let target: String
  private let environment: Environment
  private let settings: Settings

  package init(target: String, environment: Environment, settings: Settings) {
    self.target = target
    self.environment = environment
    self.settings = settings
  }

  /// The URL that a source with this file would have.
  package var address: String {
    SourceAddress.normalized(target, home: environment.home) ?? URL(fileURLWithPath: target).absoluteString
  }

  /// Reads and parses the control file.
  ///
  /// - Throws: `FetchFailure`, or `GivenFile.Failure` if the bytes aren't a control file.
  // Not inlined: the optimizer of Swift 6.3 fails for a caller with it inlined.
  @inline(never)
  package func read() async throws -> ControlFile {
    let bytes = try await bytes()
    return try Self.controlFile(bytes, name: GivenFile.name(of: target))
  }

  /// Parses a control file.
  ///
  /// - Throws: if the bytes aren't a control file.
  static func controlFile(_ bytes: Data, name: String) throws(GivenFile.Failure) -> ControlFile {
    let file: ControlFile
    do throws(JSONFailure) {
      file = try ControlFileReader.read(bytes)
    } catch {
      throw GivenFile.Failure(name: name, error)
    }
    if let problem = file.problems.first {
      throw GivenFile.Failure(name: name, reason: "\(problem.at) \(problem.message)")
    }
    return file
  }

  /// Reads standard input or the file, or fetches the URL.
  @inline(never)
  private func bytes() async throws -> Data {
    if target == "-" { return try GivenFile.read(target) }
    if let url = URL(string: address), url.isFileURL { return try GivenFile.read(url.path) }
    let transport = LiveTransport(environment.transportOptions(settings))
    var source = Source(id: SourceID(0), name: "", kind: .banners, address: address)
    if let known = settings.sources.first(where: { $0.source.address == address }) {
      source.settings.options = known.source.settings.options
    }
    let context = PollContext(now: environment.now(), credential: .configured(address: address))
    let answer = await Fetcher(transport: transport).fetch(
      source, position: PollPosition(), accept: "application/json, */*;q=0.5", context: context)
    await transport.shutdown()
    switch answer {
    case .document(let document): return document.bytes
    case .failed(let failure, _): throw failure
    case .notModified: throw FetchFailure.malformed(line: nil, reason: "304 to a request without validators")
    }
  }
}
