int nothing_of_this_name;
