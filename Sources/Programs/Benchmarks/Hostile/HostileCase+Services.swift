extension HostileCase {
  private static let token = ["token_env = \"HOSTILE_TOKEN\""]
  private static let user = ["user = \"u\""]

  /// What a program prints that is read in one of the formats of `command`.
  private static func output(
    _ name: String, _ format: String, write: @escaping @Sendable (HostileDocument) throws -> Void
  ) -> HostileCase {
    .poll(
      name, "command", settings: ["command = [\"cat\", \"FILE\"]", "format = \"\(format)\""], write: write)
  }

  /// A service, the settings that a source of it needs, and what stands around the elements of its list.
  private struct List: Sendable {
    var kind: String
    var settings = token
    var start = "["
    var end = "]"

    /// One element with more keys than any object has.
    var keys: HostileCase {
      .poll("4,000,000 keys in an element of \(kind)", kind, settings: settings) { document in
        try document.put(start + "{\"id\":1")
        try document.put(0..<4_000_000) { ",\"k\($0)\":0" }
        try document.put("}" + end)
      }
    }

    var elements: HostileCase {
      .poll("1,300,000 elements of \(kind)", kind, settings: settings) { document in
        try document.put(start + "{\"id\":0}")
        try document.put(1..<1_300_000) { ",{\"id\":\($0),\"fingerprint\":\"\($0)\"}" }
        try document.put(end)
      }
    }
  }

  private static let lists = [
    List(kind: "gotify", start: "{\"messages\":[", end: "],\"paging\":{}}"),
    List(kind: "miniflux", start: "{\"total\":1,\"entries\":[", end: "]}"),
    List(kind: "github"),
    List(kind: "gitlab"),
    List(kind: "gitea"),
    List(kind: "mastodon"),
    List(kind: "discourse", start: "{\"notifications\":[", end: "]}"),
    List(kind: "nextcloud", settings: token + user, start: "{\"ocs\":{\"data\":[", end: "]}}"),
    List(kind: "alertmanager", settings: []),
    List(kind: "healthchecks", start: "{\"checks\":[", end: "]}"),
  ]

  /// Answers of services, and output of programs.
  static let services: [HostileCase] =
    lists.flatMap { [$0.keys, $0.elements] } + [
      .poll("60 MB of line ends from ntfy", "ntfy") { try $0.put("\n", times: 60_000_000) },
      .poll("a title of 60 MB from ntfy", "ntfy") { document in
        try document.put("{\"id\":\"a\",\"time\":1,\"event\":\"message\",\"topic\":\"t\",\"message\":\"")
        try document.put("words ", times: 10_000_000)
        try document.put("\"}\n")
      },
      .poll("500,000 messages from ntfy", "ntfy") { document in
        try document.put(0..<500_000) {
          "{\"id\":\"a\($0)\",\"time\":1,\"event\":\"message\",\"topic\":\"t\",\"message\":\"m\"}\n"
        }
      },
      output("60 MB of line ends from a monitoring plugin", "nagios") { try $0.put("\n", times: 60_000_000) },
      output("a line of 60 MB from a monitoring plugin", "nagios") { document in
        try document.put("WARNING - x|")
        try document.put("a=1;2;3 ", times: 7_500_000)
      },
      output("60 MB of line ends from a program", "lines") { try $0.put("\n", times: 60_000_000) },
      output("a line of 60 MB from a program", "lines") { try $0.put("words ", times: 10_000_000) },
      output("10,000,000 lines of a program", "lines") { try $0.put("x\n", times: 10_000_000) },
      output("1,300,000 items of a program", "items") { document in
        try document.put(0..<1_300_000) { "{\"id\":\($0),\"title\":\"t\"}\n" }
      },
      output("2,000,000 items of a program that are not objects", "items") {
        try $0.put("0\n", times: 2_000_000)
      },
      .poll("40 messages of 99,000 keys from gotify", "gotify", settings: token) { document in
        try document.put("{\"messages\":[{\"id\":0}")
        for id in 1...40 {
          try document.put(",{\"id\":\(id)")
          try document.put(0..<99_000) { ",\"k\($0)\":\($0)" }
          try document.put("}")
        }
        try document.put("],\"paging\":{}}")
      },
      .poll("200,000 labels of an alert", "alertmanager", settings: []) { document in
        try document.put("[{\"fingerprint\":\"f\",\"status\":{\"state\":\"active\"},\"labels\":{\"a\":\"b\"")
        try document.put(0..<200_000) { ",\"k\($0)\":\"v\"" }
        try document.put("}}]")
      },
      .poll("a post of 1,000,000 divisions from mastodon", "mastodon", settings: token) { document in
        try document.put(
          "[{\"id\":\"1\",\"type\":\"mention\",\"account\":{\"acct\":\"a\"},\"status\":{\"id\":\"1\",\"content\":\""
        )
        try document.put("<div>", times: 1_000_000)
        try document.put("\"}}]")
      },
      .poll("a message of 60 MB from gotify", "gotify", settings: token) { document in
        try document.put("{\"messages\":[{\"id\":1,\"appid\":1,\"title\":\"t\",\"message\":\"")
        try document.put("words ", times: 10_000_000)
        try document.put("\"}],\"paging\":{}}")
      },
    ]
}
