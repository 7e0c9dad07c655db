// The one way in which reddot starts another program.
internal import Subprocess
