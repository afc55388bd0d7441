"""A gaming floor around the rounds: evenings by the whole procedure, with irregularities and what they cost."""
