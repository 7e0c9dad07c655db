package import Formats
package import Platform

extension GivenFile.Failure: UserFacingError {
  /// Creates a failure in the form `name:line:column: reason`, as in compilers' messages, so that editors can jump
  /// there.
  package init(name: String, _ failure: JSONFailure) {
    self.init(name: "\(name):\(failure.line):\(failure.column)", reason: "\(failure.reason)")
  }
}
