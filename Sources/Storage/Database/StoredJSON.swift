import Foundation

/// JSON as columns hold it: keys in order, bare slashes. Extras are hashed too, so none of it may ever come out otherwise;
/// a test keeps it.
enum StoredJSON {
  static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(value), as: UTF8.self)
  }
}
