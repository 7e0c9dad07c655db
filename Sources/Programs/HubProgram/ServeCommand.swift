import ArgumentParser
import Basics
import Foundation
import Hub
import NIOCore
import Platform

/// `reddot-hub serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the feeds, until SIGTERM.")

  enum LogFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

  @OptionGroup var settings: SettingsOption
  @Option(help: "Format of the log of requests, on standard error.")
  var logFormat = LogFormat.text

  func run() async throws {
    let settings = try settings.read()
    let store = try settings.store.open(settings, migrates: settings.migrates, serves: true)
    let version = try store.version()
    let format = logFormat
    var options = settings.options
    Self.fitIntoOpenFiles(&options)
    for settings in settings.hooks {
      do {
        options.hooks.append(try await settings.hook())
      } catch {
        // The other webhooks are served.
        HubProgram.complain("the webhook \(settings.name) is not served: \(error.reason)")
      }
    }
    let server = HubServer(
      store: try store.hub(), options: options, random: { .random(in: .min ... .max) },
      log: { line in HubProgram.writeLine(format == .json ? line.json : line.text) },
      report: { HubProgram.complain($0) })
    do {
      try await server.run { port in
        let place =
          switch settings.place {
          case .port(let host, let given): "\(host.contains(":") ? "[\(host)]" : host):\(port ?? given)"
          case .socket(let path): "unix:\(path)"
          }
        print("Listening on \(place), store \(store.name), schema \(version).")
        // The starting program reads this from a pipe.
        fflush(nil)
      }
    } catch let mistake as HubTLSFiles.Mistake {
      throw HubProgram.Failed(sentence: "\(mistake.key) under [tls]: \(mistake.problem)")
    } catch let error as IOError {
      throw HubProgram.Failed(
        sentence: "cannot listen: \(String(cString: strerror(error.errnoCode))); check the setting listen")
    }
  }

  /// Reduces the numbers of connections and of waiting readers to the allowed number of open files, since
  /// each connection is an open file. Otherwise, no file might be left for the store.
  private static func fitIntoOpenFiles(_ options: inout HubOptions) {
    let wanted = options.connections + Limits.hubOwnFiles
    guard let limit = OpenFiles.raise(to: wanted), limit < wanted else { return }
    options.connections = max(Limits.hubLeastConnections, limit - Limits.hubOwnFiles)
    let waiting = options.connections - Limits.hubLeastConnections
    guard waiting < options.waiting else { return }
    HubProgram.complain(
      "only \(limit) files may be open at the same time here, so \(waiting) readers can wait instead of \(options.waiting); "
        + "raise the limit, for example with ulimit -n \(wanted)")
    options.waiting = waiting
  }
}
