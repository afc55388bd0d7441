"""Games of streets (Mississippi Stud, Let It Ride), solved exactly."""
