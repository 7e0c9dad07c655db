import Foundation

/// 100,000 items from a file to the searchable store, by the program itself.
struct IntakeBenchmark {
  var workshop: Workshop

  func run(into table: inout ResultTable) async throws {
    let count = 100_000
    let rss = try workshop.rss(count)
    try measure("RSS", rss, kind: "feed", goal: "≤ 2.5 s, ≤ 200 MiB", into: &table)
    try measure("native", try workshop.native(count, inApp: false), kind: "native", goal: "", into: &table)
    try measure(
      "in-app", try workshop.native(count, inApp: true), kind: "native", goal: "no slower than RSS",
      into: &table)
  }

  private func measure(
    _ name: String, _ file: URL, kind: String, goal: String, into table: inout ResultTable
  ) throws {
    let config = workshop.folder.appending(path: "intake-\(name).toml")
    try Data("[[source]]\nname = \"large\"\nkind = \"\(kind)\"\nurl = \"\(file.absoluteString)\"\n".utf8)
      .write(to: config)
    let database = workshop.folder.appending(path: "intake-\(name).sqlite").path
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    let run = try ProcessRun(
      workshop.program, ["poll", "--force", "--database", database, "--config", config.path],
      environment: ["HOME": workshop.folder.path])
    let megabytes = String(format: "%.0f MB", Double(size) / 1e6)
    table.add(
      "100,000 \(name) items (\(megabytes)) taken in, stored, searchable",
      "\(text(run.wall.milliseconds)), \(run.peakMiB)\(run.status == 0 ? "" : " FAILED")", goal: goal)
  }
}

/// The time and peak memory of a whole process, from the system.
struct ProcessRun {
  var wall: Duration
  var status: Int32
  private var peakKiB: Int

  var peakMiB: String { String(format: "%.0f MiB", Double(peakKiB) / 1024) }

  init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let variables = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
    var argv = ([program] + arguments).map { strdup($0) } + [nil]
    var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var process: pid_t = 0
    let start = ContinuousClock.now
    guard posix_spawnp(&process, program, &actions, nil, &argv, &envp) == 0 else {
      throw CocoaError(.executableNotLoadable)
    }
    var usage = rusage()
    var code: Int32 = 0
    wait4(process, &code, 0, &usage)
    wall = ContinuousClock.now - start
    status = code
    peakKiB = usage.ru_maxrss
  }
}
