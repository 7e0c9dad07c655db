/// The targets under Sources in Package.swift, read as text: the package manager would take seconds and
/// needs its lock.
struct Manifest {
  struct Unreadable: Error {
    var text: String
  }

  /// Targets under Sources, with the targets and products that they depend on.
  private(set) var dependencies: [String: Set<String>] = [:]
  /// System libraries.
  private(set) var libraries: Set<String> = []
  /// The folder of each target and system library, from Sources on: `Base/Basics`.
  private(set) var folders: [String: String] = [:]
  /// Products of other packages, and targets in the folder of tests.
  private(set) var elsewhere: Set<String> = []

  init(_ text: String) throws {
    // `let grdb = Target.Dependency.product(name: "GRDB", package: …)`
    var products: [String: String] = [:]
    for match in text.matches(of: /let (\w+) = Target\.Dependency\.product\(\s*name: "(\w+)"/) {
      products[String(match.1)] = String(match.2)
    }
    elsewhere = Set(products.values)
    let heads = text.matches(
      of: /\n    \.(systemLibrary|target|executableTarget|testTarget)\(\s*name: "(\w+)"/)
    for (index, head) in heads.enumerated() {
      let end = index + 1 < heads.count ? heads[index + 1].range.lowerBound : text.endIndex
      let body = text[head.range.upperBound..<end]
      let name = String(head.2)
      if let path = body.firstMatch(of: /path: "Sources\/([^"]+)"/) { folders[name] = String(path.1) }
      switch head.1 {
      case "testTarget": continue
      case _ where body.contains("path: \"Tests/"): elsewhere.insert(name)
      case "systemLibrary": libraries.insert(name)
      case _:
        dependencies[name] = []
        guard let start = body.firstRange(of: "dependencies: [") else { continue }
        guard let list = body[start.upperBound...].firstIndex(of: "]") else { throw Unreadable(text: name) }
        for word in body[start.upperBound..<list].matches(
          of: /\.product\(name: "(\w+)", package: "[^"]+"\)|"(\w+)"|(\w+)/)
        {
          if let product = word.1 {
            dependencies[name]?.insert(String(product))
            elsewhere.insert(String(product))
          } else if let target = word.2 {
            dependencies[name]?.insert(String(target))
          } else if let constant = word.3 {
            guard let product = products[String(constant)] else { throw Unreadable(text: String(constant)) }
            dependencies[name]?.insert(product)
          }
        }
      }
    }
  }
}
