import Foundation

package enum MachineName {
  /// The host name up to its first dot, without a query to a name server, or `this machine` if there is none.
  package static var short: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "this machine" }
    let host = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let name = host.prefix { $0 != "." }
    return name.isEmpty ? "this machine" : String(name)
  }
}
