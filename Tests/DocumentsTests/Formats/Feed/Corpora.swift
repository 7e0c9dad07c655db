import Foundation

/// Published test cases, which are not part of the project: in the folder `REDDOT_CORPORA`, else next to the project.
enum Corpora {
  /// A folder or file under it; nil, with a line in the test's output, where it is not on this machine.
  static func find(_ path: String) -> URL? {
    let folder =
      ProcessInfo.processInfo.environment["REDDOT_CORPORA"].map { URL(fileURLWithPath: $0) }
      ?? packageRoot.appendingPathComponent("../shared/data").standardized
    let url = folder.appendingPathComponent(path)
    if FileManager.default.fileExists(atPath: url.path) { return url }
    print("skipped: there is no \(url.path); REDDOT_CORPORA can name the folder of published cases")
    return nil
  }

  private static var packageRoot: URL {
    var folder = URL(fileURLWithPath: #filePath)
    repeat {
      folder.deleteLastPathComponent()
    } while folder.path != "/"
      && !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
    return folder
  }
}
