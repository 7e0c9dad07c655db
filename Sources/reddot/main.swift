print("reddot")
