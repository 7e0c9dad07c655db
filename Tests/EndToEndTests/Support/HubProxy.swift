import Foundation
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// nginx in front of hubs, with the configuration of the page "A team in ten minutes", but on loopback and without TLS.
final class HubProxy {
  private static let program = "/usr/sbin/nginx"
  static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

  let client: LoopbackClient
  private let household: Household
  private let running: Running

  /// - Parameter ports: of the hubs.
  init(before ports: [Int]) throws {
    household = try Household()
    let home = household.home
    // A port may have been taken since it was free.
    for _ in 0..<10 {
      let port = try freePort()
      // One process, which ends with this object.
      try household.write(
        "nginx.conf",
        """
        daemon off; master_process off; pid \(home)/pid; error_log stderr notice;
        events { worker_connections 500; }
        http {
            access_log off;
            client_body_temp_path \(home)/body; proxy_temp_path \(home)/proxied; fastcgi_temp_path \(home)/fastcgi;
            uwsgi_temp_path \(home)/uwsgi; scgi_temp_path \(home)/scgi;
        \(try Self.configuration(port: Int(port), before: ports, cache: "\(home)/cache"))
        }
        """)
      let started = try Running(
        Self.program, ["-p", home, "-e", "stderr", "-c", "\(home)/nginx.conf"],
        environment: household.environment,
        keeping: household)
      var isBusy = false
      try started.wait(for: "nginx") { running in
        let said = String(decoding: running.errorBytes, as: UTF8.self)
        isBusy = said.contains("Address already in use")
        return isBusy || said.contains("epoll")
      }
      guard !isBusy else { continue }
      (running, client) = (started, LoopbackClient(port: Int(port)))
      return
    }
    throw HouseholdFailure("nginx finds no port")
  }

  /// Returns the page's configuration for two hubs.
  private static func configuration(port: Int, before ports: [Int], cache: String) throws -> String {
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Hub.md")
    var text = String(try #require(page.firstMatch(of: #/```nginx\n([^`]*)```/#)).1)
    func replace(_ old: String, _ new: String) throws {
      try #require(text.contains(old), "the page has no \(old)")
      text = text.replacing(old, with: new)
    }
    let servers = ports.map { "server 127.0.0.1:\($0) fail_timeout=1s;" }.joined(separator: " ")
    try replace("server 127.0.0.1:8377 fail_timeout=1s;", servers)
    try replace("listen 443 ssl; server_name hub.example;", "listen 127.0.0.1:\(port);")
    try replace(
      "ssl_certificate /etc/ssl/hub.pem; ssl_certificate_key /etc/ssl/private/hub.key;", "")
    try replace("/var/cache/nginx-hub", cache)
    return text
  }

  func end() throws {
    kill(running.process, SIGTERM)
    #expect(try running.waitForEnd().exit == .status(0))
  }
}
